import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import Fastify from 'fastify';

/** Fastify with nothing around it: the yardstick of every ratio. The folder to stream from is its argument. */
const folder = process.argv[2] ?? '.';
const app = Fastify();

const Answer = {
  200: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
};

app.get('/bare', { schema: { response: Answer } }, async () => ({ ok: true }));

app.post('/bare', { schema: { response: Answer } }, async () => ({ ok: true }));

app.get<{ Params: { name: string } }>('/file/:name', async (request, reply) => {
  const path = join(folder, basename(request.params.name));
  return await reply.type('application/octet-stream').send(createReadStream(path));
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });
// It never outlives the run that started it.
process.once('disconnect', () => process.exit());

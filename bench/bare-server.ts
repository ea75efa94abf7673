import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import Fastify from 'fastify';

import { createLocalFileStore } from '../packages/server/src/platform/files/local-file-store.ts';

/** Fastify with nothing around it: the yardstick of every ratio. The folder to stream from is its argument. */
const folder = process.argv[2] ?? '.';
const app = Fastify();
const BODY_BYTES = 72 * 1024 * 1024;

const Answer = {
  200: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
};

app.get('/bare', { schema: { response: Answer } }, async () => ({ ok: true }));

app.post('/bare', { schema: { response: Answer } }, async () => ({ ok: true }));

app.get<{ Params: { name: string } }>('/file/:name', async (request, reply) => {
  const path = join(folder, basename(request.params.name));
  return await reply.type('application/octet-stream').send(createReadStream(path));
});

const store = await createLocalFileStore({ folder: join(folder, 'store'), signer: { sign: () => '' } });

app.post<{ Body: { image: string } }>(
  '/store',
  { bodyLimit: BODY_BYTES, schema: { response: Answer } },
  async (request) => {
    const bytes = Buffer.from(request.body.image, 'base64');
    await store.put(Readable.from([bytes]), { maxBytes: BODY_BYTES });
    return { ok: true };
  },
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });
// It never outlives the run that started it.
process.once('disconnect', () => process.exit());

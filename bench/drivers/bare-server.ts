import { Readable } from 'node:stream';
import Fastify from 'fastify';

import { createLocalFileStore } from '../../packages/server/src/platform/files/local-file-store.ts';

/** Fastify with nothing around it: the yardstick of every ratio. The folder of its file store is its argument. */
const app = Fastify({ bodyLimit: 72 * 1024 * 1024 });
const store = await createLocalFileStore({ folder: process.argv[2] ?? '.', signer: { sign: () => '' } });
const schema = {
  response: { 200: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
};

app.get('/bare', { schema }, async () => ({ ok: true }));
app.post('/bare', { schema }, async () => ({ ok: true }));
app.post<{ Body: { image: string } }>('/store', { schema }, async ({ body }) => {
  await store.put(Readable.from([Buffer.from(body.image, 'base64')]), { maxBytes: body.image.length });
  return { ok: true };
});

process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
// It never outlives the run that started it.
process.once('disconnect', () => process.exit());

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';

import { createFileRequests } from './file-requests.ts';

/** A server that answers 503 with this code, so often, and then well. */
async function startServer(code: string, times: number) {
  let left = times;
  const server = createServer((_request, response) => {
    left -= 1;
    response.writeHead(left < 0 ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(left < 0 ? {} : { code, message: 'Not now.' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('requests about files', () => {
  const options = { key: 'key', signal: new AbortController().signal, patienceMs: 1 };
  const use = async (answer: Response) => await answer.json();

  it('are retried without end while the server says that its file store fails', async () => {
    await using server = await startServer('server.file_store', 3);
    assert.deepEqual(await createFileRequests({ ...options, ...server })({}, use), {});
  });

  it('are given up after a while for other reasons', async () => {
    await using server = await startServer('server.database', 3);
    const request = createFileRequests({ ...options, ...server })({}, use);
    await assert.rejects(request, { name: 'RefusedRequest', message: 'Not now.' });
  });
});

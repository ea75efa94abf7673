import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { PATIENCE_MS, temporaryFolder } from '@atelier/testing';

import { runCli, runJson } from '../support/cli.ts';

/** More than three retries take. */
const AWAY_MS = 5000;

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A job with files, each of which says its name. */
function answerFor(path: string, names: readonly string[]): string {
  if (!path.endsWith('/assets')) return path.slice(1);
  const assets = names.map((name) => ({
    id: randomUUID(),
    name,
    size: name.length,
    mime_type: 'text/plain',
    hash: `blake3:${'0'.repeat(64)}`,
    preview_url: `/${name}`,
  }));
  return JSON.stringify({
    job_id: path,
    assets,
    pagination: { offset: 0, limit: 500, total: 2, has_more: false },
  });
}

test('[CLI-17] saving goes on when the server goes away and comes back', {
  timeout: PATIENCE_MS,
}, async () => {
  await using folder = await temporaryFolder();
  let isBack = false;
  const answer: RequestListener = ({ url = '' }, response) => {
    response.setHeader('connection', 'close').end(answerFor(url.split('?', 1)[0] ?? '', ['one', 'two']));
    if (!url.startsWith('/one')) return;
    server.close();
    setTimeout(() => {
      server = createServer(answer).listen(port, '127.0.0.1');
      isBack = true;
    }, AWAY_MS);
  };
  let server = await listen(answer);
  const port = portOf(server);
  try {
    const options = { url: `http://127.0.0.1:${port}`, key: 'k', cwd: folder.path };
    const { code, stdout, stderr } = await runCli(['download', randomUUID()], options);
    assert.deepEqual([code, stderr, isBack], [0, '', true]);
    assert.match(stdout, /one\n.*two\n$/);
  } finally {
    server.close();
  }
});

test('[CLI-17] what could not be saved has the command that fetches it', async () => {
  await using folder = await temporaryFolder();
  const server = await listen(({ url = '' }, response) => {
    if (url === '/one') response.statusCode = 500;
    response.end(answerFor(url.split('?', 1)[0] ?? '', ['one']));
  });
  try {
    const id = randomUUID();
    const options = { url: `http://127.0.0.1:${portOf(server)}`, key: 'k', cwd: folder.path };
    const { code, json } = await runJson<{ error: Record<string, string> }>(['download', id], options);
    assert.deepEqual([code, json.error['code']], [4, 'client.answer']);
    assert.equal(json.error['advice'], `It is still at the server: "atelier download ${id}".`);
  } finally {
    server.close();
  }
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { createComfyClient, Unreachable } from './comfyui-client.ts';
import { findPrompt } from './find-prompt.ts';

test('answers are read as Python writes them, and an unreadable one does not mean that a prompt is gone', async () => {
  let queue =
    '{"queue_running": [[1, "mine", {"1": {"inputs": {"x": NaN, "y": -Infinity}}}]], "queue_pending": []}';
  const server = createServer(({ url }, answer) => answer.end(url === '/queue' ? queue : '{}'));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const client = createComfyClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    assert.deepEqual(await findPrompt(client, 'mine'), { at: 'running' });
    assert.deepEqual(await findPrompt(client, 'other'), { at: 'gone' });
    queue = '{"queue_running": [';
    await assert.rejects(findPrompt(client, 'mine'), Unreachable);
  } finally {
    server.close();
  }
});

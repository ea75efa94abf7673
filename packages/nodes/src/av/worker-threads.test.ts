/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { componentsOf, gradients, makeVideo } from '../test/clips.ts';
import { nodeContext } from '../test/run-node.ts';

const clip = new URL('../test/clip-in-worker.ts', import.meta.url);

interface Message {
  readonly value?: number;
  readonly frames?: number;
  readonly samples?: number;
}

test('videos are saved and read in several worker threads at once', async () => {
  const ends = Array.from({ length: 2 }, async () => {
    const worker = new Worker(clip);
    let last: Message = {};
    worker.on('message', (message: Message) => {
      last = message;
    });
    const [code] = (await once(worker, 'exit')) as [number];
    return { code, last };
  });
  for (const { code, last } of await Promise.all(ends)) {
    assert.equal(code, 0);
    assert.equal(last.frames, 60);
    assert.equal(last.samples, 88200);
  }
});

// `terminate` would interrupt a call into FFmpeg, and the bindings then end the process.
test('a worker thread may end itself while it encodes, and the process goes on', async () => {
  for (const at of [1, 10, 30]) {
    const worker = new Worker(clip);
    worker.on('message', ({ value }: Message) => {
      if (value === at) worker.postMessage('end');
    });
    const [code] = (await once(worker, 'exit')) as [number];
    assert.equal(code, 3);
  }
  using context = nodeContext();
  const { images } = await componentsOf(await makeVideo({ images: gradients() }, context), context);
  assert.equal(images.batch, 6);
});

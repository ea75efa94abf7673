import { parentPort, threadId } from 'node:worker_threads';

export type Trouble = 'none' | 'hangs' | 'ends' | 'throws' | 'exhausts memory';

/** A thread that gets into the trouble it is asked for, and otherwise tells which one it is. */
parentPort?.on('message', (trouble: Trouble) => {
  const kept: unknown[] = [];
  switch (trouble) {
    case 'none':
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is not a window
      parentPort?.postMessage(threadId);
      return;
    case 'ends':
      // oxlint-disable-next-line unicorn/no-process-exit -- only the thread ends
      process.exit(3);
      break;
    case 'throws':
      throw new Error('trouble');
    case 'exhausts memory':
      for (;;) kept.push(Array.from({ length: 1000 }, () => ({ kept })));
    case 'hangs':
      for (;;) Math.random();
  }
});

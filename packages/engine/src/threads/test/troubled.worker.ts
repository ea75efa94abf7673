import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

import { answerTasks } from '../answer-tasks.ts';

export type Trouble = 'none' | 'hangs' | 'ends' | 'throws' | 'exhausts memory' | 'waits for the abort';

/** A thread that gets into the trouble it is asked for, and otherwise answers with its id. */
answerTasks<Trouble, number>(async (trouble, { signal, onProgress }) => {
  const kept: unknown[] = [];
  switch (trouble) {
    case 'none':
      return threadId;
    case 'ends':
      // oxlint-disable-next-line unicorn/no-process-exit -- only the thread ends
      return process.exit(3);
    case 'throws':
      throw new Error('trouble');
    case 'exhausts memory':
      for (;;) kept.push(Array.from({ length: 1000 }, () => ({ kept })));
    case 'waits for the abort':
      onProgress(0.5);
      return await sleep(2 ** 31 - 1, threadId, { signal }).finally(() => onProgress(1));
    case 'hangs':
      onProgress(0.5);
      for (;;) Math.random();
  }
});

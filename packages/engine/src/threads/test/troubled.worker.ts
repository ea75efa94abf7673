import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, threadId } from 'node:worker_threads';

import { answerTasks } from '../answer-tasks.ts';

export type Trouble =
  | 'none'
  | 'hangs'
  | 'ends'
  | 'throws'
  | 'exhausts memory'
  | 'crashes'
  | 'waits for the abort';

const id = isMainThread ? process.pid : threadId;

/** A thread or process that gets into the trouble it is asked for, and otherwise answers with its id. */
answerTasks<Trouble, number>(async (trouble, { signal, onProgress }) => {
  const kept: unknown[] = [];
  switch (trouble) {
    case 'none':
      return id;
    case 'ends':
      // oxlint-disable-next-line unicorn/no-process-exit -- only the thread ends
      return process.exit(3);
    case 'throws':
      throw new Error('trouble');
    case 'crashes':
      return process.abort();
    case 'exhausts memory':
      for (;;) kept.push(Array.from({ length: 1000 }, () => ({ kept })));
    case 'waits for the abort':
      onProgress(0.5);
      return await sleep(2 ** 31 - 1, id, { signal }).finally(() => onProgress(1));
    case 'hangs':
      onProgress(0.5);
      for (;;) Math.random();
  }
});

import { parentPort } from 'node:worker_threads';

export type ToThread<Task> = { readonly task: Task } | { readonly abort: true };

export type FromThread<Answer> = { readonly answer: Answer } | { readonly progress: number };

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/**
 * The thread's side of a thread pool: `work` gets one task at a time. What it throws ends the thread, and the pool reports it; failures
 * that the caller must tell apart belong into the answer, because errors lose their class on the way.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name what they get and give
export function answerTasks<Task, Answer>(
  work: (task: Task, options: TaskOptions) => Promise<Answer> | Answer,
): void {
  let aborting = new AbortController();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const post = (message: FromThread<Answer | undefined>) => parentPort?.postMessage(message);

  async function answer(task: Task): Promise<void> {
    aborting = new AbortController();
    const { signal } = aborting;
    try {
      post({ answer: await work(task, { signal, onProgress: (progress) => post({ progress }) }) });
    } catch (error) {
      if (!signal.aborted) throw error;
      post({ answer: undefined });
    }
  }

  parentPort?.on('message', (message: ToThread<Task>) => {
    if ('abort' in message) aborting.abort();
    else void answer(message.task);
  });
}

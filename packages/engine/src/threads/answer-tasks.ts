import { type MessagePort, parentPort } from 'node:worker_threads';

export type ToThread<Task> = { readonly task: Task } | { readonly abort: true };

export type FromThread<Answer> =
  | { readonly answer: Answer }
  | { readonly progress: number }
  | { readonly failure: Error };

export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/**
 * The side of a pool in its thread or process. `work` gets one task at a time. An error that it throws ends the thread and is
 * reported by the pool; failures that the caller must tell apart belong in the answer, because errors lose their class.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers name what they get and give
export function answerTasks<Task, Answer>(
  work: (task: Task, options: TaskOptions) => Promise<Answer> | Answer,
): void {
  let aborting = new AbortController();
  const post = parentPort ? postFromThread(parentPort) : postFromProcess();

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

  (parentPort ?? process).on('message', (message: ToThread<Task>) => {
    if ('abort' in message) aborting.abort();
    else void answer(message.task);
  });
}

type Post = (message: FromThread<unknown>) => void;

function postFromThread(port: MessagePort): Post {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  return (message) => port.postMessage(message);
}

function postFromProcess(): Post {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C and service managers signal every process of a group; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.once('uncaughtException', (failure) => process.send?.({ failure }, () => process.exit(1)));
  return (message) => process.send?.(message);
}

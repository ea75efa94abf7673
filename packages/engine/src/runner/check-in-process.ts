import type { CheckResult } from '../declare/node-type.ts';
import type { Folders } from '../folder-files.ts';
import { toJson } from '../python/exact-json.ts';
import type { CheckQuestion } from '../validate/answer-check.ts';
import type { RunnerProcess } from './runner-process.ts';

const CHECK_MS = 5000;

export interface CheckOptions {
  /** The files of the user, where the check may look. */
  readonly folders: Folders;
  readonly signal?: AbortSignal;
}

/** Asks a process for the result of a custom check. Rejects when it does not answer in time, or ends. */
export async function checkInProcess(
  own: RunnerProcess,
  question: CheckQuestion,
  { folders, signal }: CheckOptions,
): Promise<CheckResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CheckResult>();

  function giveUp(why: string): void {
    own.kill();
    reject(new Error(`The check of ${question.type} ${why}.`));
  }
  const { run, stop } = own.listen(
    (message) => {
      if (message.kind === 'checked') resolve(message.result);
      else if (message.kind === 'checkFailed') reject(Object.assign(new Error(), message.error));
      else if (message.kind === 'fault') giveUp(`failed: ${message.message}`);
    },
    () => giveUp('ended its process'),
  );
  const onAbort = (): void => giveUp('was stopped');
  const timer = setTimeout(() => giveUp(`did not answer within ${CHECK_MS / 1000} seconds`), CHECK_MS);
  try {
    signal?.addEventListener('abort', onAbort, { once: true });
    own.post({ kind: 'check', question: toJson(question), run, folders });
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    stop();
  }
}

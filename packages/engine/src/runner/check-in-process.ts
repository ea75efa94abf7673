import type { CheckResult } from '../declare/node-type.ts';
import type { Folders } from '../folder-files.ts';
import { toJson } from '../python/exact-json.ts';
import type { CheckQuestion } from '../validate/answer-check.ts';
import type { FromProcess } from './runner-messages.ts';
import type { RunnerProcess } from './runner-process.ts';

const CHECK_MS = 5000;

export interface CheckOptions {
  /** The files of the user, where the check may look. */
  readonly folders: Folders;
  readonly signal?: AbortSignal;
}

/** Asks a process what a custom check says. One that does not answer in time, or ends its process, rejects. */
export async function checkInProcess(
  own: RunnerProcess,
  question: CheckQuestion,
  { folders, signal }: CheckOptions,
): Promise<CheckResult> {
  const { child } = own;
  const { promise, resolve, reject } = Promise.withResolvers<CheckResult>();
  own.jobs += 1;
  const run = own.jobs;

  function giveUp(why: string): void {
    own.kill();
    reject(new Error(`The check of ${question.type} ${why}.`));
  }
  function onMessage(message: FromProcess): void {
    if (!('run' in message) || (message.run ?? run) !== run) return;
    if (message.kind === 'checked') resolve(message.result);
    else if (message.kind === 'checkFailed') reject(Object.assign(new Error(), message.error));
    else if (message.kind === 'fault') giveUp(`failed: ${message.message}`);
  }
  const onClose = (): void => giveUp('ended its process');
  const onAbort = (): void => giveUp('was stopped');
  const timer = setTimeout(() => giveUp(`did not answer within ${CHECK_MS / 1000} seconds`), CHECK_MS);
  try {
    child.on('message', onMessage);
    child.on('error', onClose);
    child.on('close', onClose);
    signal?.addEventListener('abort', onAbort, { once: true });
    own.post({ kind: 'check', question: toJson(question), run, folders });
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    child.off('message', onMessage);
    child.off('error', onClose);
    child.off('close', onClose);
  }
}

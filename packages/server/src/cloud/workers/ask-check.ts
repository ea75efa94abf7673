import type { WorkerMessages } from '@atelier/contracts';
import { type CheckQuestion, type CheckResult, type Folders, toJson } from '@atelier/engine';

import type { Workers } from './create-workers.ts';

export type AskCheck = (
  question: CheckQuestion,
  options: { readonly folders: Folders; readonly signal: AbortSignal },
) => Promise<CheckResult>;

/** Longer than the worker itself gives a check. */
const ANSWER_MS = 10_000;

/** Asks a worker to run the check of a node pack. Only a worker with access to the user's files can; without one the value passes. */
export function createCheckAsker(workers: Pick<Workers, 'all'>) {
  const waiting = new Map<number, PromiseWithResolvers<CheckResult>>();
  let count = 0;

  const ask: AskCheck = async (question, { folders, signal }) => {
    const worker = workers
      .all()
      .find(({ identity, hello, link }) => identity.isOwn && hello.kind === 'built-in' && link);
    if (!worker?.link) return true;
    count += 1;
    const id = count;
    const answer = Promise.withResolvers<CheckResult>();
    waiting.set(id, answer);
    const late = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const giveUp = (): void => answer.reject(new Error(`The check of ${question.type} was not answered.`));
    late.addEventListener('abort', giveUp, { once: true });
    if (late.aborted) giveUp();
    try {
      worker.link.send({
        type: 'check',
        id,
        question: toJson(question),
        files: { kind: 'folders', folders },
      });
      return await answer.promise;
    } finally {
      late.removeEventListener('abort', giveUp);
      waiting.delete(id);
    }
  };

  return {
    ask,
    /** Handles the answer of a worker, which may be too late. */
    answered({ id, result = true, error }: WorkerMessages['checked']): void {
      if (error) waiting.get(id)?.reject(Object.assign(new Error(error.message), { name: error.name }));
      else waiting.get(id)?.resolve(result);
    },
  };
}

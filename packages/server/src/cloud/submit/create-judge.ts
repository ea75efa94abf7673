import type { NodeCatalogue, PackSources } from '@atelier/engine';
import { createThreadPool } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import { createFairSemaphore } from '../../platform/fair-semaphore.ts';
import type { UserFiles } from '../files/user-files.ts';
import type { JudgeAnswer, JudgeTask } from './judge.worker.ts';
import { type JudgedSubmission, type JudgeRequest, judgeSubmission } from './judge-submission.ts';
import { RefusedPrompt, refusedPrompt } from './refused-prompt.ts';

/**
 * Longer bodies are judged in a thread. 20 000 nodes (1.4 MB) take half a second, and several times that when the code is cold; a body
 * of this length takes some 30 ms. Most workflows are shorter, and handing one over would cost more than judging it.
 */
const MAX_LENGTH_HERE = 100_000;
const DEADLINE_MS = 60_000;
/** The thread takes a second to load its node types. */
const IDLE_MS = 10 * 60_000;
const HEAP_MB = 1024;

interface Parts {
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  readonly packs: PackSources;
  readonly files: Pick<UserFiles, 'filesOf' | 'foldersOf'>;
}

export type Judge = ReturnType<typeof createJudge>;

/** Judges what is submitted without keeping the event loop from other requests. */
export function createJudge({ nodeTypes, packs, files }: Parts) {
  const pool = createThreadPool<JudgeTask, JudgeAnswer>({
    url: new URL('./judge.worker.ts', import.meta.url),
    threads: 1,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  /** In turn, so that other accounts wait for one workflow of an account and not for a hundred. */
  const turns = createFairSemaphore(1);

  async function judgeInThread(userId: string, request: JudgeRequest): Promise<JudgedSubmission> {
    const outcome = await pool.run({ ...request, packs, folders: await files.foldersOf(userId) });
    if (outcome.kind === 'late') {
      throw refusedPrompt(
        'prompt_too_large',
        `The workflow could not be validated within ${DEADLINE_MS / 1000} seconds`,
        'Submit a smaller workflow.',
      );
    }
    if (outcome.kind === 'died') throw outcome.error;
    const { answer } = outcome;
    if ('judged' in answer) return answer.judged;
    if ('refused' in answer) throw new RefusedPrompt(answer.refused);
    const { code, message, details } = answer.failed;
    throw new AppError(code, message, { details });
  }

  return {
    /** Throws `RefusedPrompt`. */
    async judge(userId: string, request: JudgeRequest): Promise<JudgedSubmission> {
      if (request.text.length <= MAX_LENGTH_HERE) {
        const catalogue = await nodeTypes();
        return await judgeSubmission(request, { catalogue, files: files.filesOf(userId) });
      }
      const release = await turns.acquire(userId);
      try {
        return await judgeInThread(userId, request);
      } finally {
        release();
      }
    },
    close: async () => await pool.close(),
  };
}

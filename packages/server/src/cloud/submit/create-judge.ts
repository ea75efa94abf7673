import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type CheckQuestion, type FileNames, parseJson, toJson, type Verdict } from '@atelier/engine';
import { createThreadPool } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import { createFairSemaphore } from '../../platform/fair-semaphore.ts';
import type { Places } from '../files/places.ts';
import type { AskCheck } from '../workers/ask-check.ts';
import type { NodeTypes } from '../workers/node-types.ts';
import { UnnamedAssets } from './asset-references.ts';
import type { JudgeAnswer, JudgeQuestion, JudgeTask, ToldAnswer } from './judge.worker.ts';
import { type JudgedSubmission, type JudgeRequest, judgeSubmission } from './judge-submission.ts';
import { RefusedPrompt, refusedPrompt } from './refused-prompt.ts';

/**
 * Longer bodies are judged in a thread. 20 000 nodes (1.4 MB) take half a second, and several times that when the code is cold; a body
 * of this length takes some 30 ms. Most workflows are shorter, and handing one over would cost more than judging it.
 */
const MAX_LENGTH_HERE = 100_000;
const DEADLINE_MS = 60_000;
const IDLE_MS = 10 * 60_000;
const HEAP_MB = 1024;

interface Parts {
  readonly nodeTypes: () => Promise<NodeTypes>;
  readonly askCheck: AskCheck;
  readonly places: Pick<Places, 'namesOf' | 'foldersFor'>;
}

export type Judge = ReturnType<typeof createJudge>;

/** Judges what is submitted without keeping the event loop from other requests. */
export function createJudge({ nodeTypes, askCheck, places }: Parts) {
  const pool = createThreadPool<JudgeTask, JudgeAnswer>({
    url: new URL('./judge.worker.ts', import.meta.url),
    threads: 1,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  /** In turn, so that other accounts wait for one workflow of an account and not for a hundred. */
  const turns = createFairSemaphore(1);

  /** Asks the custom checks of one submission, which have so long together. */
  function createAsker(userId: string) {
    let deadline: AbortSignal | undefined;
    return async (question: CheckQuestion): Promise<Verdict> => {
      deadline ??= AbortSignal.timeout(DEADLINE_MS);
      if (deadline.aborted) throw new Error(`The checks took longer than ${DEADLINE_MS / 1000} seconds.`);
      await using own = await places.foldersFor(userId, toJson(question.values));
      return await askCheck(question, { folders: own.folders, signal: deadline });
    };
  }

  async function judgeInThread(userId: string, request: JudgeRequest): Promise<JudgedSubmission> {
    const { kinds } = await nodeTypes();
    const descriptions = {
      'built-in': kinds['built-in'].descriptions,
      comfyui: kinds.comfyui.descriptions,
    };
    const questions = new MessageChannel();
    answerQuestions(questions.port1, { askCheck: createAsker(userId), names: places.namesOf(userId) });
    const task = { ...request, descriptions, questions: questions.port2 };
    const outcome = await pool
      .run(task, { transfer: [questions.port2] })
      .finally(() => questions.port1.close());
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
    if ('unnamed' in answer) throw new UnnamedAssets(answer.unnamed);
    const { code, message, details } = answer.failed;
    throw new AppError(code, message, { details });
  }

  async function judgeHere(userId: string, request: JudgeRequest): Promise<JudgedSubmission> {
    const { catalogue: union, kinds } = await nodeTypes();
    return await judgeSubmission(request, {
      catalogues: { union, 'built-in': kinds['built-in'].catalogue, comfyui: kinds.comfyui.catalogue },
      files: places.namesOf(userId),
      askCheck: createAsker(userId),
    });
  }

  /** Of what its combos choose, a job needs the model files. Throws `RefusedPrompt` when its parts are at different workers. */
  async function withModels(judged: JudgedSubmission): Promise<JudgedSubmission> {
    const { models: chosen = [], ...rest } = judged.needs;
    if (rest.kind !== 'comfyui') return judged;
    const { isModel, isAtOneComfyUi } = await nodeTypes();
    const models = chosen.filter(isModel);
    const needs = { ...rest, ...(models.length > 0 && { models }) };
    if (isAtOneComfyUi(needs)) return { ...judged, needs };
    throw refusedPrompt(
      'prompt_outputs_failed_validation',
      'No worker has all node types and models of this workflow',
      'Each is at some worker, but a workflow runs at one of them as a whole.',
    );
  }

  return {
    /** Throws `RefusedPrompt`, and `UnnamedAssets` of a body that needs names. */
    async judge(userId: string, request: JudgeRequest): Promise<JudgedSubmission> {
      if (request.text.length <= MAX_LENGTH_HERE) return await withModels(await judgeHere(userId, request));
      const release = await turns.acquire(userId);
      try {
        return await withModels(await judgeInThread(userId, request));
      } finally {
        release();
      }
    },
    close: async () => await pool.close(),
  };
}

/** Answers a thread, which has no process and no database to ask. */
function answerQuestions(
  port: MessagePort,
  {
    askCheck,
    names,
  }: { readonly askCheck: (question: CheckQuestion) => Promise<Verdict>; readonly names: FileNames },
): void {
  const answer = async (asked: JudgeQuestion): Promise<unknown> => {
    if ('check' in asked) return await askCheck(asked.check);
    return 'list' in asked ? await names.list(...asked.list) : await names.exists(asked.exists);
  };
  const tell = async (text: string): Promise<ToldAnswer> => {
    const { id, ...asked } = parseJson(text) as JudgeQuestion & { readonly id: number };
    try {
      return { id, value: await answer(asked) };
    } catch (thrown) {
      const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
      return { id, failed: { name, message } };
    }
  };
  port.on('message', (text: string) => void tell(text).then((said) => port.postMessage(said)));
}

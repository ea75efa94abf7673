import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type CheckQuestion, type CheckResult, type FileNames, parseJson, toJson } from '@atelier/engine';
import { createThreadPool } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import { createFairSemaphore } from '../../platform/fair-semaphore.ts';
import type { Places } from '../files/places.ts';
import type { AskCheck } from '../workers/ask-check.ts';
import type { NodeTypes } from '../workers/node-types/node-types.ts';
import { UnnamedAssets } from './asset-references.ts';
import { RefusedPrompt, refusedPrompt } from './refused-prompt.ts';
import type {
  QuestionReply,
  ValidationAnswer,
  ValidationQuestion,
  ValidationTask,
} from './validate.worker.ts';
import {
  type ValidatedSubmission,
  type ValidationRequest,
  validateSubmission,
} from './validate-submission.ts';

/**
 * Longer bodies are validated in a thread. 20 000 nodes (1.4 MB) take half a second, and several times that when the code is cold; a body
 * of this length takes about 30 ms. Most workflows are shorter, and passing one to a thread would cost more than validating it.
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

export type Validator = ReturnType<typeof createValidator>;

/** Validates submissions without blocking the event loop. */
export function createValidator({ nodeTypes, askCheck, places }: Parts) {
  const pool = createThreadPool<ValidationTask, ValidationAnswer>({
    url: new URL('./validate.worker.ts', import.meta.url),
    threads: 1,
    deadlineMs: DEADLINE_MS,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  /** Accounts take turns, so that nobody waits for a hundred workflows of another account. */
  const turns = createFairSemaphore(1);

  /** Runs the custom checks of one submission, which share a deadline. */
  function createAsker(userId: string) {
    let deadline: AbortSignal | undefined;
    return async (question: CheckQuestion): Promise<CheckResult> => {
      deadline ??= AbortSignal.timeout(DEADLINE_MS);
      if (deadline.aborted) throw new Error(`The checks took longer than ${DEADLINE_MS / 1000} seconds.`);
      await using own = await places.foldersFor(userId, toJson(question.values));
      return await askCheck(question, { folders: own.folders, signal: deadline });
    };
  }

  async function validateInThread(userId: string, request: ValidationRequest): Promise<ValidatedSubmission> {
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
    if ('validated' in answer) return answer.validated;
    if ('refused' in answer) throw new RefusedPrompt(answer.refused);
    if ('unnamed' in answer) throw new UnnamedAssets(answer.unnamed);
    const { code, message, details } = answer.failed;
    throw new AppError(code, message, { details });
  }

  async function validateHere(userId: string, request: ValidationRequest): Promise<ValidatedSubmission> {
    const { catalogue: union, kinds } = await nodeTypes();
    return await validateSubmission(request, {
      catalogues: { union, 'built-in': kinds['built-in'].catalogue, comfyui: kinds.comfyui.catalogue },
      files: places.namesOf(userId),
      askCheck: createAsker(userId),
    });
  }

  /** Reduces the values of combos to model files. Throws `RefusedPrompt` when no single worker has all that the job needs. */
  async function withModels(validated: ValidatedSubmission): Promise<ValidatedSubmission> {
    const { models: chosen = [], ...rest } = validated.needs;
    if (rest.kind !== 'comfyui') return validated;
    const { isModel, isAtOneComfyUi } = await nodeTypes();
    const models = chosen.filter(isModel);
    const needs = { ...rest, ...(models.length > 0 && { models }) };
    if (isAtOneComfyUi(needs)) return { ...validated, needs };
    throw refusedPrompt(
      'prompt_outputs_failed_validation',
      'No worker has all node types and models of this workflow',
      'Each is at some worker, but a workflow runs at one of them as a whole.',
    );
  }

  return {
    /** Throws `RefusedPrompt`, and `UnnamedAssets` of a body that needs names. */
    async validate(userId: string, request: ValidationRequest): Promise<ValidatedSubmission> {
      if (request.text.length <= MAX_LENGTH_HERE)
        return await withModels(await validateHere(userId, request));
      const release = await turns.acquire(userId);
      try {
        return await withModels(await validateInThread(userId, request));
      } finally {
        release();
      }
    },
    close: async () => await pool.close(),
  };
}

/** Answers the questions of a thread, which has no access to workers and the database. */
function answerQuestions(
  port: MessagePort,
  {
    askCheck,
    names,
  }: { readonly askCheck: (question: CheckQuestion) => Promise<CheckResult>; readonly names: FileNames },
): void {
  const answer = async (asked: ValidationQuestion): Promise<unknown> => {
    if ('check' in asked) return await askCheck(asked.check);
    return 'list' in asked ? await names.list(...asked.list) : await names.exists(asked.exists);
  };
  const tell = async (text: string): Promise<QuestionReply> => {
    const { id, ...asked } = parseJson(text) as ValidationQuestion & { readonly id: number };
    try {
      return { id, value: await answer(asked) };
    } catch (thrown) {
      const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
      return { id, failed: { name, message } };
    }
  };
  port.on('message', (text: string) => void tell(text).then((said) => port.postMessage(said)));
}

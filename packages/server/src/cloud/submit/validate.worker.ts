import { isDeepStrictEqual } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import {
  type CheckQuestion,
  type CheckResult,
  catalogueOf,
  type FileNames,
  mergeCatalogues,
  readNodeDescriptions,
  toJson,
  uniteCatalogues,
} from '@atelier/engine';
import { answerTasks } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import type { EngineKind } from '../workers/matching/job-needs.ts';
import { UnnamedAssets } from './asset-references.ts';
import type { Catalogues } from './choose-place.ts';
import { RefusedPrompt } from './refused-prompt.ts';
import {
  type ValidatedSubmission,
  type ValidationRequest,
  validateSubmission,
} from './validate-submission.ts';

type Descriptions = Readonly<Record<EngineKind, readonly string[]>>;

export interface ValidationTask extends ValidationRequest {
  /** The node types of workers, by their kind; see `describeNodes`. */
  readonly descriptions: Descriptions;
  /** Carries numbered questions as JSON, and a `QuestionReply` to each. */
  readonly questions: MessagePort;
}

export type ValidationQuestion =
  | { readonly check: CheckQuestion }
  | { readonly list: Parameters<FileNames['list']> }
  | { readonly exists: Parameters<FileNames['exists']>[0] };

/** Errors are passed as data, because they lose their class between threads. */
export type ValidationAnswer =
  | { readonly validated: ValidatedSubmission }
  | { readonly refused: string }
  | { readonly unnamed: readonly string[] }
  | { readonly failed: Pick<AppError, 'code' | 'message' | 'details'> };

export interface QuestionReply {
  readonly id: number;
  readonly value?: unknown;
  readonly failed?: Pick<Error, 'name' | 'message'>;
}

let known: { readonly descriptions: Descriptions; readonly catalogues: Catalogues } | undefined;

answerTasks(validate);

async function validate({ descriptions, questions, ...request }: ValidationTask): Promise<ValidationAnswer> {
  if (known === undefined || !isDeepStrictEqual(known.descriptions, descriptions)) {
    known = { descriptions, catalogues: readCatalogues(descriptions) };
  }
  const ask = createAsker(questions);
  const files: FileNames = {
    list: async (folder, subfolder, start = '') =>
      (await ask({ list: [folder, subfolder, start] })) as string[],
    exists: async (exists) => (await ask({ exists })) as boolean,
  };
  const askCheck = async (check: CheckQuestion) => (await ask({ check })) as CheckResult;
  try {
    return {
      validated: await validateSubmission(request, { catalogues: known.catalogues, files, askCheck }),
    };
  } catch (error) {
    if (error instanceof RefusedPrompt) return { refused: error.body };
    if (error instanceof UnnamedAssets) return { unnamed: error.ids };
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failed: { code, message, details } };
  } finally {
    questions.close();
  }
}

function readCatalogues(descriptions: Descriptions): Catalogues {
  // The first description of a type wins.
  const builtIn = mergeCatalogues(descriptions['built-in'].map(readNodeDescriptions).toReversed());
  let comfyui = catalogueOf([]);
  for (const each of descriptions.comfyui) {
    comfyui = uniteCatalogues(comfyui, readNodeDescriptions(each)).catalogue;
  }
  return { 'built-in': builtIn, comfyui, union: mergeCatalogues([comfyui, builtIn]) };
}

function createAsker(port: MessagePort) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  port.on('message', ({ id, value, failed }: QuestionReply) => {
    if (failed) waiting.get(id)?.reject(Object.assign(new Error(), failed));
    else waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  return async (question: ValidationQuestion): Promise<unknown> => {
    count += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(count, answer);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    port.postMessage(toJson({ id: count, ...question }));
    return await answer.promise;
  };
}

import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import {
  type CheckQuestion,
  catalogueOf,
  createFolderFiles,
  type Folders,
  mergeCatalogues,
  readNodeDescriptions,
  toJson,
  uniteCatalogues,
  type Verdict,
} from '@atelier/engine';
import { answerTasks } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import type { EngineKind } from '../workers/job-needs.ts';
import { UnnamedAssets } from './asset-references.ts';
import type { Catalogues } from './choose-place.ts';
import { type JudgedSubmission, type JudgeRequest, judgeSubmission } from './judge-submission.ts';
import { RefusedPrompt } from './refused-prompt.ts';

type Descriptions = Readonly<Record<EngineKind, readonly string[]>>;

export interface JudgeTask extends JudgeRequest {
  /** The node types of each worker by its kind; see `describeNodes`. */
  readonly descriptions: Descriptions;
  readonly folders: Folders;
  /** Takes questions as JSON, one at a time, and gives a `CheckAnswer` to each. */
  readonly checks: MessagePort;
}

/** Errors lose their class on the way to another thread. */
export type JudgeAnswer =
  | { readonly judged: JudgedSubmission }
  | { readonly refused: string }
  | { readonly unnamed: readonly string[] }
  | { readonly failed: Pick<AppError, 'code' | 'message' | 'details'> };

export type CheckAnswer =
  | { readonly verdict: Verdict }
  | { readonly failed: Pick<Error, 'name' | 'message'> };

let known: { readonly descriptions: Descriptions; readonly catalogues: Catalogues } | undefined;

answerTasks(judge);

async function judge({ descriptions, folders, checks, ...request }: JudgeTask): Promise<JudgeAnswer> {
  if (known === undefined || !isDeepStrictEqual(known.descriptions, descriptions)) {
    known = { descriptions, catalogues: readCatalogues(descriptions) };
  }
  const files = createFolderFiles(folders);
  const askCheck = async (question: CheckQuestion) => await ask(checks, question);
  try {
    return { judged: await judgeSubmission(request, { catalogues: known.catalogues, files, askCheck }) };
  } catch (error) {
    if (error instanceof RefusedPrompt) return { refused: error.body };
    if (error instanceof UnnamedAssets) return { unnamed: error.ids };
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failed: { code, message, details } };
  } finally {
    checks.close();
  }
}

function readCatalogues(descriptions: Descriptions): Catalogues {
  // The first one counts.
  const builtIn = mergeCatalogues(descriptions['built-in'].map(readNodeDescriptions).toReversed());
  let comfyui = catalogueOf([]);
  for (const each of descriptions.comfyui) {
    comfyui = uniteCatalogues(comfyui, readNodeDescriptions(each)).catalogue;
  }
  return { 'built-in': builtIn, comfyui, union: mergeCatalogues([comfyui, builtIn]) };
}

async function ask(checks: MessagePort, question: CheckQuestion): Promise<Verdict> {
  const answered = once(checks, 'message') as Promise<[CheckAnswer]>;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  checks.postMessage(toJson(question));
  const [answer] = await answered;
  if ('verdict' in answer) return answer.verdict;
  throw Object.assign(new Error(), answer.failed);
}

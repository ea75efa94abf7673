import {
  createCatalogue,
  createFolderFiles,
  type Folders,
  loadPacks,
  type NodeCatalogue,
  type PackSources,
} from '@atelier/engine';
import { answerTasks } from '@atelier/engine/threads';

import { AppError } from '../../platform/errors/app-error.ts';
import { type JudgedSubmission, type JudgeRequest, judgeSubmission } from './judge-submission.ts';
import { RefusedPrompt } from './refused-prompt.ts';

export interface JudgeTask extends JudgeRequest {
  readonly packs: PackSources;
  readonly folders: Folders;
}

/** Errors lose their class on the way to another thread. */
export type JudgeAnswer =
  | { readonly judged: JudgedSubmission }
  | { readonly refused: string }
  | { readonly failed: Pick<AppError, 'code' | 'message' | 'details'> };

let loaded: Promise<NodeCatalogue> | undefined;

answerTasks(judge);

async function judge({ packs, folders, ...request }: JudgeTask): Promise<JudgeAnswer> {
  loaded ??= loadPacks(packs).then(createCatalogue);
  try {
    const files = createFolderFiles(folders);
    return { judged: await judgeSubmission(request, { catalogue: await loaded, files }) };
  } catch (error) {
    if (error instanceof RefusedPrompt) return { refused: error.body };
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failed: { code, message, details } };
  }
}

import { type TaskKind, VENDORS, vendorOf } from '@atelier/contracts';

import { AppError } from '../platform/errors/app-error.ts';
import type { TaskRequest, TaskShown } from './requests/task-request.ts';
import type { Task } from './tasks.repo.ts';
import { isLocalAdapter } from './vendors/local-adapter.ts';
import type { VendorAdapter } from './vendors/vendor.ts';

/** Settings for tasks that this server renders itself. */
export interface LocalRendering {
  readonly isFree: boolean;
  readonly refusesUnknownPrompts: boolean;
}

const MADE_HERE = 'local stand-in';

export function isFreeAt(adapter: VendorAdapter, { isFree }: LocalRendering): boolean {
  return isFree && adapter.description.isLocal;
}

/** The request as it is stored: with its price at this adapter, and the ignored words of its prompt. */
export function prepareFor(adapter: VendorAdapter, request: TaskRequest, local: LocalRendering): TaskRequest {
  const reading = adapter.understand?.(request);
  if (reading && !reading.isUnderstood && local.refusesUnknownPrompts) {
    const setting = `ATELIER_${VENDORS[adapter.vendor].setting}_VENDOR`;
    throw new AppError(
      'proxy.prompt_not_understood',
      `The local stand-in understands no word of this prompt. It needs an English word for ${reading.subjects}. To generate anything else, the operator connects a vendor with ${setting}_KEY, or a service on a GPU that speaks its API with ${setting}_URL.`,
    );
  }
  return {
    ...request,
    credits: isFreeAt(adapter, local) ? 0 : request.credits,
    shown: { ...request.shown, ...(reading && { ignored_words: [...reading.ignoredWords] }) },
  };
}

/** Ignored words are unknown for an outside vendor. */
export function originOf({ adapter, kind, shown }: Pick<Task, 'adapter' | 'kind' | 'shown'>) {
  const { ignored_words } = JSON.parse(shown) as TaskShown;
  return {
    made_by: isLocalAdapter(adapter) ? MADE_HERE : vendorOf(kind as TaskKind),
    ...(ignored_words && { ignored_words }),
  };
}

import { type ErrorCode, VENDOR_NAMES, VENDORS } from '@atelier/contracts';

import type { AppError } from '../errors/app-error.ts';

/**
 * One error, four dresses. `error`: `{error, message}`. `details`: `{details, message}`.
 * `code`: `{code, message, details?}`. `prompt`: the host application's prompt-error body.
 */
export type ErrorShape = 'error' | 'details' | 'code' | 'prompt';

const SHAPE_BY_PREFIX: readonly (readonly [prefix: string, shape: ErrorShape])[] = [
  ['/api/prompt', 'prompt'],
  ['/prompt', 'prompt'],
  ['/api', 'code'],
  ...VENDOR_NAMES.flatMap((name) =>
    [name, VENDORS[name].alias].map((word) => [`/proxy/${word}`, VENDORS[name].errorShape] as const),
  ),
];

/** What public clients of workflow submission know some failures as. */
const PROMPT_TYPES: Partial<Record<ErrorCode, string>> = {
  'cloud.subscription_required': 'CLOUD_SUBSCRIPTION_REQUIRED',
  'cloud.partner_key': 'PARTNER_NODE_DISABLED',
  'cloud.queue_limit': 'QUEUE_LIMIT',
};

/** The shape of the area a path belongs to, also for paths that no route serves. */
export function shapeOfPath(path: string): ErrorShape {
  const match = SHAPE_BY_PREFIX.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return match?.[1] ?? 'error';
}

export function renderError(error: AppError, shape: ErrorShape): Record<string, unknown> {
  const { code, details } = error;
  // Where the problems stand apart from it, the sentence ends before them.
  const message = error.message.replace(/:$/, '.');
  switch (shape) {
    case 'error':
      return { error: code, message: sentence(error.message, details) };
    case 'details':
      return { details: details.length > 0 ? details : [code], message };
    case 'code':
      return details.length > 0 ? { code, message, details: { problems: details } } : { code, message };
    case 'prompt':
      return {
        error: { type: PROMPT_TYPES[code] ?? code, message, details: details.join('; '), extra_info: {} },
        node_errors: {},
      };
  }
}

/** Where the body has no place for details they join the sentence, so that nobody has to guess the field. */
function sentence(message: string, details: readonly string[]): string {
  return details.length > 0 ? `${message} ${details.join('; ')}.` : message;
}

import { type ErrorCode, VENDOR_NAMES, VENDORS } from '@atelier/contracts';

import type { AppError } from '../errors/app-error.ts';

/**
 * The shapes of error bodies. `error`: `{error, message}`. `details`: `{details, message}`.
 * `code`: `{code, message, details?}`. `prompt`: the host application's prompt-error body.
 * `envelope`: `{error: {code, message, details?}}` with the codes of the Comfy API v2.
 */
export type ErrorShape = 'error' | 'details' | 'code' | 'prompt' | 'envelope';

const SHAPE_BY_PREFIX: readonly (readonly [prefix: string, shape: ErrorShape])[] = [
  ['/api/prompt', 'prompt'],
  ['/prompt', 'prompt'],
  ['/api/v2', 'envelope'],
  ['/api', 'code'],
  ...VENDOR_NAMES.flatMap((name) =>
    [name, VENDORS[name].alias].map((word) => [`/proxy/${word}`, VENDORS[name].errorShape] as const),
  ),
];

/** Types that public clients of workflow submission know. */
const PROMPT_TYPES: Partial<Record<ErrorCode, string>> = {
  'cloud.subscription_required': 'CLOUD_SUBSCRIPTION_REQUIRED',
  'cloud.partner_key': 'PARTNER_NODE_DISABLED',
  'cloud.queue_limit': 'QUEUE_LIMIT',
};

/** Codes that clients of the Comfy API v2 know. `v2.` codes are not listed: they end in the code of that API. */
const V2_CODES: Partial<Record<ErrorCode, string>> = {
  'request.too_large': 'payload_too_large',
  'file.too_large': 'payload_too_large',
  'request.range': 'invalid_range',
  'resource.not_found': 'not_found',
  'route.unknown': 'not_found',
  'credits.insufficient': 'insufficient_credits',
  'cloud.subscription_required': 'insufficient_credits',
  'cloud.storage_full': 'storage_full',
  'cloud.job_exists': 'conflict',
  'cloud.file_exists': 'conflict',
  'cloud.queue_limit': 'queue_full',
  'cloud.too_many_streams': 'too_many_streams',
  internal: 'upstream_error',
};
const V2_CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
  503: 'upstream_unreachable',
  507: 'upstream_unreachable',
};

/** The code of a failure in the Comfy API v2. */
export function v2CodeOf({ code, status }: Pick<AppError, 'code' | 'status'>): string {
  if (code.startsWith('v2.')) return code.slice('v2.'.length);
  return V2_CODES[code] ?? V2_CODE_OF_STATUS[status] ?? 'invalid_request';
}

/** The shape for a path, even if no route serves it. */
export function shapeOfPath(path: string): ErrorShape {
  const match = SHAPE_BY_PREFIX.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return match?.[1] ?? 'error';
}

export function renderError(error: AppError, shape: ErrorShape): Record<string, unknown> {
  const { code, details } = error;
  // For shapes with the details in a field of their own.
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
    case 'envelope': {
      const name = code === 'v2.missing_asset' ? 'missing_ids' : 'problems';
      const more = details.length > 0 ? { details: { [name]: details } } : {};
      return { error: { code: v2CodeOf(error), message: sentence(error.message, details), ...more } };
    }
  }
}

/** For shapes without a field for details. */
function sentence(message: string, details: readonly string[]): string {
  return details.length > 0 ? `${message} ${details.join('; ')}.` : message;
}

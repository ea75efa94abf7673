import {
  RELIGHT_DEFAULTS,
  type RelightRequest,
  SKIN_DEFAULTS,
  type SkinCreativeRequest,
  type SkinFaithfulRequest,
  type SkinFlexibleRequest,
} from '@atelier/contracts';

import { assertNoProblems } from './invalid-body.ts';
import { validateWeights } from './prompt-weights.ts';
import { chooseSeed, type PictureField, type TaskRequest, validatePictures } from './task-request.ts';

interface SkinRequests {
  readonly creative: SkinCreativeRequest;
  readonly faithful: SkinFaithfulRequest;
  readonly flexible: SkinFlexibleRequest;
}
type Fields = Readonly<Record<string, unknown>>;

const { skin_detail, optimized_for, ...SKIN } = SKIN_DEFAULTS;
const SKIN_SETTINGS = {
  creative: SKIN,
  faithful: { ...SKIN, skin_detail },
  flexible: { ...SKIN, optimized_for },
} as const;

export function readSkinRequest<Mode extends keyof SkinRequests>(
  mode: Mode,
  body: SkinRequests[Mode],
  credits: number,
): TaskRequest {
  return toRequest(`skin-${mode}`, body, { pictures: ['image'], defaults: SKIN_SETTINGS[mode], credits });
}

export function readRelightRequest(body: RelightRequest, credits: number): TaskRequest {
  const { transfer_light_from_lightmap: map, transfer_light_from_reference_image: reference } = body;
  const problems = validateWeights('prompt', body.prompt ?? '');
  if (map !== undefined && reference !== undefined) {
    problems.unshift(
      'transfer_light_from_lightmap must not be given together with transfer_light_from_reference_image',
    );
  }
  return toRequest('relight', body, {
    pictures: ['image', 'transfer_light_from_reference_image', 'transfer_light_from_lightmap'],
    defaults: { prompt: '', ...RELIGHT_DEFAULTS },
    credits,
    problems,
  });
}

function toRequest(
  kind: TaskRequest['kind'],
  body: Fields & { readonly webhook_url?: string },
  options: {
    readonly pictures: readonly PictureField[];
    readonly defaults: Fields;
    readonly credits: number;
    readonly problems?: readonly string[];
  },
): TaskRequest {
  const pictures = options.pictures.flatMap((field) => {
    const value = body[field];
    return typeof value === 'string' ? [{ field, value }] : [];
  });
  assertNoProblems([...validatePictures(pictures), ...(options.problems ?? [])]);
  return {
    kind,
    settings: withDefaults(options.defaults, body),
    pictures,
    credits: options.credits,
    seed: chooseSeed(),
    offPeak: false,
    webhook: body.webhook_url === undefined ? undefined : { field: 'webhook_url', url: body.webhook_url },
    shown: {},
  };
}

/** Only fields with a default, at any depth: unknown fields are not stored. */
function withDefaults(defaults: Fields, given: Fields): Fields {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [
      name,
      typeof fallback === 'object'
        ? withDefaults(fallback as Fields, (given[name] ?? {}) as Fields)
        : (given[name] ?? fallback),
    ]),
  );
}

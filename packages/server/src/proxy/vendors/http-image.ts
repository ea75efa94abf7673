import type { TaskKind } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import type { Fields } from './classify-answer.ts';
import { pickSettings, type TaskDialect } from './http-adapter.ts';

const POLL_MS = 2_000;
const MAX_RESULTS = 16;
const MAX_EXPLAINED_FIELDS = 5;
/** The vendor documents no limit. */
const MAX_INLINE_BYTES = 50 * 2 ** 20;

const SKIN_FIELDS = ['sharpen', 'smart_grain'];
const FIELDS: Readonly<Partial<Record<TaskKind, readonly string[]>>> = {
  'skin-creative': SKIN_FIELDS,
  'skin-faithful': [...SKIN_FIELDS, 'skin_detail'],
  'skin-flexible': [...SKIN_FIELDS, 'optimized_for'],
  relight:
    'prompt light_transfer_strength interpolate_from_original change_background style preserve_details advanced_settings'.split(
      ' ',
    ),
};

export const HTTP_IMAGE_VENDOR: TaskDialect = {
  adapter: 'image-http',
  title: 'Image vendor over HTTPS',
  called: 'The image vendor',
  makes: 'picture',
  about: (host) =>
    `Sends pictures and settings to ${host}, which makes the results and charges this server's account ` +
    'for them. Speaks the wire format of the Freepik API. A request that may have arrived is never sent again.',
  toHeaders: (key) => ({ 'x-freepik-api-key': key }),
  readVendorError: (body) => ({ code: body.code, message: toExplanation(body) }),
  sentences: {
    CreditInsufficient:
      "This server's account at the image vendor has no credits left: its administrator should add some.",
  },
  maxInlineBytes: MAX_INLINE_BYTES,
  toPicture: (base64) => base64,
  toRequest: ({ kind, settings }, pictures, callbackUrl) => ({
    path: pathOf(kind),
    body: {
      ...pictures,
      ...pickSettings(settings, fieldsOf(kind), { prompt: '' }),
      webhook_url: callbackUrl,
    },
  }),
  // All modes of the skin enhancer are read at one path.
  toCheckPath: (id, kind) => `${kind === 'relight' ? pathOf(kind) : '/v1/ai/skin-enhancer'}/${id}`,
  // Answers wrap the task in `data`, callbacks do not.
  dataOf: (body) => (isObject(body.data) ? body.data : body),
  stateField: 'status',
  // The documentation names only the first of those that failed.
  states: { created: 'queued', completed: 'done', failed: 'failed', cancelled: 'failed', canceled: 'failed' },
  failureOf: (data) => ({ code: data.code, message: toExplanation(data) }),
  resultsOf: ({ generated }) =>
    Array.isArray(generated) ? generated.slice(0, MAX_RESULTS).map((url: unknown) => ['picture', url]) : [],
  pollMs: () => POLL_MS,
};

function fieldsOf(kind: TaskKind): readonly string[] {
  const fields = FIELDS[kind];
  if (!fields) throw new Error(`The image vendor makes no ${kind}.`);
  return fields;
}

function pathOf(kind: TaskKind): string {
  return kind === 'relight' ? '/v1/ai/image-relight' : `/v1/ai/${kind.replace('skin-', 'skin-enhancer/')}`;
}

/** `{message, invalid_params: [{field, reason}]}` in one line. */
function toExplanation({ message, invalid_params: params }: Fields): string | undefined {
  const fields = (Array.isArray(params) ? params.slice(0, MAX_EXPLAINED_FIELDS) : []).map((param: unknown) =>
    isObject(param)
      ? [param.field ?? param.name, param.reason].filter((part) => typeof part === 'string').join(': ')
      : '',
  );
  const parts = [message, ...fields].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}

import { isObject } from '@atelier/contracts/is-object';
import { toOwnModel, toPublicModel } from '../requests/model-aliases.ts';
import { VIDEO_MODEL_RULES, type VideoModelRules } from '../requests/video-models.ts';
import type { Fields } from './classify-answer.ts';
import { pickSettings, type TaskDialect } from './http-adapter.ts';
import type { VendorTask } from './vendor.ts';

const POLL_MS = 5_000;
/** Off-peak tasks may wait for 48 hours. */
const OFF_PEAK_POLL_MS = 60_000;
/** The vendor's limit is 20 MB. Base64 has four characters for three bytes, and the prompt needs room too. */
const MAX_INLINE_BYTES = 14_000_000;

const AGAINST_RULES = 'is against its rules for content.';
const BAD_PICTURE =
  'The video vendor cannot use the picture: it takes PNG, JPEG and WebP of up to 50 MB, between 1:4 and 4:1.';

const FIELDS = 'prompt duration resolution seed style movement_amplitude bgm off_peak meta_data'.split(' ');

/** The vendor's defaults. */
const DEFAULTS: Fields = {
  prompt: '',
  style: 'general',
  movement_amplitude: 'auto',
  bgm: false,
  is_rec: false,
  off_peak: false,
  meta_data: '',
};

export const HTTP_VIDEO_VENDOR: TaskDialect = {
  adapter: 'video-http',
  title: 'Video vendor over HTTPS',
  called: 'The video vendor',
  makes: 'video',
  about: (host) =>
    `Sends prompts, settings and pictures to ${host}, which makes the videos and charges this server's ` +
    'account for them. Speaks the wire format of the Vidu API. A request that may have arrived is never sent again.',
  toHeaders: (key) => ({ authorization: `Token ${key}` }),
  // `code` repeats the HTTP status as a number; `reason` has the word.
  readVendorError: ({ reason, code, message }) => ({
    code: typeof reason === 'string' ? reason : code,
    message,
  }),
  sentences: {
    CreditInsufficient:
      "This server's account at the video vendor has no credits left: its administrator should add some.",
    TaskPromptPolicyViolation: `The video vendor refused the prompt, because it ${AGAINST_RULES}`,
    AuditSubmitIllegal: `The video vendor refused the prompt or the picture, because it ${AGAINST_RULES}`,
    CreationPolicyViolation: `The video vendor keeps the video back, because what it shows ${AGAINST_RULES}`,
    ImageDownloadFailure:
      'The video vendor could not fetch the picture from this server: its administrator should check the public address.',
    ImageFormatInvalid: BAD_PICTURE,
    PageSizeOutOfRange: BAD_PICTURE,
    ModelUnavailable: 'The video vendor does not offer this model now: use another one.',
    UserCancelled: 'The task was cancelled at the video vendor.',
  },
  maxInlineBytes: MAX_INLINE_BYTES,
  toPicture: (base64, mediaType) => `data:${mediaType};base64,${base64}`,
  toRequest,
  toCheckPath: (id) => `/ent/v2/tasks/${id}/creations`,
  dataOf: (body) => body,
  stateField: 'state',
  // The documentation names only `failed`; off-peak tasks that come to nothing are cancelled.
  states: {
    created: 'queued',
    queueing: 'queued',
    success: 'done',
    failed: 'failed',
    cancelled: 'failed',
    canceled: 'failed',
  },
  failureOf: ({ err_code: code, message }) => ({ code, message }),
  resultsOf({ creations }, { settings }) {
    const made: readonly unknown[] = Array.isArray(creations) ? creations : [];
    const creation = made.find(isObject) ?? {};
    return [
      ['video', creation.url],
      ...(settings.watermark === true ? ([['watermarked', creation.watermarked_url]] as const) : []),
      ['cover', creation.cover_url],
    ];
  },
  pollMs: ({ settings }) => (settings.off_peak === true ? OFF_PEAK_POLL_MS : POLL_MS),
};

/** The vendor refuses fields that a route or a model does not use, so fields without an effect are left out. */
function toRequest({ id, settings }: VendorTask, pictures: Fields, callbackUrl: string | undefined) {
  const model = toOwnModel(String(settings.model), { acceptAliases: false });
  if (model === undefined) throw new Error('The settings of a video task name no model of ours.');
  const hasImage = pictures.images !== undefined;
  return {
    path: hasImage ? '/ent/v2/img2video' : '/ent/v2/text2video',
    body: {
      model: toPublicModel(model),
      ...(hasImage && { images: [pictures.images] }),
      // A picture has a shape of its own.
      ...pickSettings(settings, [...FIELDS, hasImage ? 'is_rec' : 'aspect_ratio'], DEFAULTS),
      ...toSound(settings, VIDEO_MODEL_RULES[model]),
      ...(settings.watermark === true && {
        watermark: true,
        wm_position: settings.wm_position,
        wm_url: pictures.wm_url,
      }),
      // Returned with every answer and callback, even if the answer to this request is lost.
      payload: id,
      callback_url: callbackUrl,
    },
  };
}

/** Where sound is the vendor's default, it must be declined explicitly. */
function toSound(settings: Fields, { audio, choosesAudio }: VideoModelRules): Fields {
  if (settings.audio !== true) return audio === 'always' ? { audio: false } : {};
  return { audio: true, ...(choosesAudio && pickSettings(settings, ['audio_type', 'voice_id'])) };
}

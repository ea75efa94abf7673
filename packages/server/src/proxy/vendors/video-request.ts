import { toOwnModel, toPublicModel } from '../requests/model-aliases.ts';
import { VIDEO_MODEL_RULES, type VideoModelRules } from '../requests/video-models.ts';
import type { Fields } from './judge-answer.ts';
import { pickSettings } from './pick-settings.ts';
import type { VendorTask } from './vendor.ts';

interface VideoRequest {
  readonly path: string;
  readonly body: Fields;
}

const FIELDS = [
  'prompt',
  'duration',
  'resolution',
  'seed',
  'style',
  'movement_amplitude',
  'bgm',
  'off_peak',
  'meta_data',
];

/** What the vendor takes itself to be asked for when a field is absent. */
const DEFAULTS: Fields = {
  prompt: '',
  style: 'general',
  movement_amplitude: 'auto',
  bgm: false,
  is_rec: false,
  off_peak: false,
  meta_data: '',
};

/**
 * A task in the vendor's words. The vendor refuses fields that a route or a model has no use for, so that what
 * would change nothing is left out.
 */
export function toVideoRequest(
  task: VendorTask,
  pictures: Fields,
  callbackUrl: string | undefined,
): VideoRequest {
  const { settings } = task;
  const model = toOwnModel(String(settings.model), { acceptAliases: false });
  if (model === undefined) throw new Error('The settings of a video task name no model of ours.');
  const hasImage = pictures.images !== undefined;
  return {
    path: hasImage ? '/ent/v2/img2video' : '/ent/v2/text2video',
    body: {
      model: toPublicModel(model),
      ...(hasImage && { images: [pictures.images] }),
      // The picture has a shape of its own.
      ...pickSettings(settings, [...FIELDS, hasImage ? 'is_rec' : 'aspect_ratio'], DEFAULTS),
      ...toSound(settings, VIDEO_MODEL_RULES[model]),
      ...(settings.watermark === true && {
        watermark: true,
        wm_position: settings.wm_position,
        wm_url: pictures.wm_url,
      }),
      // Comes back with every answer and callback, also when the answer to this request is lost.
      payload: task.id,
      callback_url: callbackUrl,
    },
  };
}

/** Where sound is the vendor's default, declining it must be said too. */
function toSound(settings: Fields, { audio, choosesAudio }: VideoModelRules): Fields {
  if (settings.audio !== true) return audio === 'always' ? { audio: false } : {};
  return { audio: true, ...(choosesAudio && pickSettings(settings, ['audio_type', 'voice_id'])) };
}

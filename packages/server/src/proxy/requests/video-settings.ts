import { VIDEO_DEFAULTS, type VideoModel, type VideoTaskRequest } from '@atelier/contracts';

import { chooseSeed } from './task-request.ts';
import { resolutionsFor, VIDEO_MODEL_RULES } from './video-models.ts';

type OptionalField = 'voice_id' | 'enhance' | 'priority' | 'meta_data';
type OtherField = 'model' | 'images' | 'wm_url' | 'callback_url' | 'payload';

/** What decides how a video is made. Flags and choices that have no effect on the model have the value that does nothing. */
export type VideoSettings = Readonly<
  Required<Omit<VideoTaskRequest, OptionalField | OtherField>> &
    Pick<VideoTaskRequest, OptionalField> & { model: VideoModel }
>;

export function toVideoSettings(body: VideoTaskRequest, model: VideoModel): VideoSettings {
  const rules = VIDEO_MODEL_RULES[model];
  const hasImage = body.images?.[0] !== undefined;
  const duration = body.duration ?? rules.defaultDuration;
  const [defaultResolution] = resolutionsFor(rules, { duration, hasImage });
  const resolution = body.resolution ?? defaultResolution;
  if (resolution === undefined) throw new Error(`${model} has no resolution for ${duration} seconds`);
  const wantsAudio = body.audio ?? rules.audio === 'always';
  const audio = wantsAudio && (rules.audio === 'always' || hasImage);
  const { style, movement_amplitude, audio_type } = { ...VIDEO_DEFAULTS, ...body };
  return {
    model,
    prompt: body.prompt ?? '',
    duration,
    resolution,
    aspect_ratio: body.aspect_ratio ?? VIDEO_DEFAULTS.aspect_ratio,
    seed: body.seed || chooseSeed(),
    style: rules.choosesStyle && !hasImage ? style : VIDEO_DEFAULTS.style,
    movement_amplitude: rules.choosesMovement ? movement_amplitude : VIDEO_DEFAULTS.movement_amplitude,
    audio,
    audio_type: audio && rules.choosesAudio ? audio_type : VIDEO_DEFAULTS.audio_type,
    bgm: (body.bgm ?? VIDEO_DEFAULTS.bgm) && duration <= rules.musicUpToSeconds,
    is_rec: body.is_rec ?? VIDEO_DEFAULTS.is_rec,
    off_peak: body.off_peak ?? VIDEO_DEFAULTS.off_peak,
    watermark: body.watermark ?? VIDEO_DEFAULTS.watermark,
    wm_position: body.wm_position ?? VIDEO_DEFAULTS.wm_position,
    ...(audio && rules.choosesAudio && body.voice_id && { voice_id: body.voice_id }),
    ...(body.enhance !== undefined && { enhance: body.enhance }),
    ...(body.priority !== undefined && { priority: body.priority }),
    ...(body.meta_data !== undefined && { meta_data: body.meta_data }),
  };
}

import { VIDEO_DEFAULTS, VIDEO_MODELS, type VideoModel, type VideoTaskRequest } from '@atelier/contracts';

import { assertNoProblems, invalidBody } from './invalid-body.ts';
import { toOwnModel } from './model-aliases.ts';
import { type TaskPicture, type TaskRequest, validatePictures } from './task-request.ts';
import { validateVideo } from './validate-video.ts';
import { VIDEO_MODEL_RULES } from './video-models.ts';
import { priceOfVideo } from './video-price.ts';
import { toVideoSettings } from './video-settings.ts';

export interface VideoRequestOptions {
  readonly needsImage: boolean;
  readonly acceptAliases: boolean;
}

export function readVideoRequest(body: VideoTaskRequest, options: VideoRequestOptions): TaskRequest {
  const model = modelOf(body, options);
  const pictures = picturesOf(body);
  assertNoProblems([
    ...validatePictures(pictures),
    ...validateVideo({ body, rules: VIDEO_MODEL_RULES[model], needsImage: options.needsImage }),
  ]);
  const settings = toVideoSettings(body, model);
  return {
    kind: 'video',
    settings,
    pictures,
    credits: priceOfVideo(settings),
    seed: settings.seed,
    offPeak: settings.off_peak,
    webhook: body.callback_url === undefined ? undefined : { field: 'callback_url', url: body.callback_url },
    payload: body.payload,
    shown: {
      model: body.model,
      style: body.style ?? VIDEO_DEFAULTS.style,
      movement_amplitude: body.movement_amplitude ?? VIDEO_DEFAULTS.movement_amplitude,
    },
  };
}

/** Read first, because nothing else can be checked without a model. */
function modelOf(body: VideoTaskRequest, options: VideoRequestOptions): VideoModel {
  const model = toOwnModel(body.model, options);
  if (model !== undefined) return model;
  throw invalidBody([`model must be equal to one of the allowed values: ${VIDEO_MODELS.join(', ')}`]);
}

function picturesOf(body: VideoTaskRequest): TaskPicture[] {
  const pictures: TaskPicture[] = (body.images ?? []).map((value) => ({ field: 'images', value }));
  // Only fetched if it is used.
  if (body.watermark && body.wm_url !== undefined) pictures.push({ field: 'wm_url', value: body.wm_url });
  return pictures;
}

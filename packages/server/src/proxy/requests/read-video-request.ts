import { VIDEO_DEFAULTS, VIDEO_MODELS, type VideoModel, type VideoTaskRequest } from '@atelier/contracts';
import { toOwnModel } from './model-aliases.ts';
import { problemsOfPictures } from './problems-of-pictures.ts';
import { problemsOfVideo } from './problems-of-video.ts';
import { invalidBody, refuseBody } from './refuse-body.ts';
import type { TaskPicture, TaskRequest } from './task-request.ts';
import { VIDEO_MODEL_RULES } from './video-models.ts';
import { priceOfVideo } from './video-price.ts';
import { toVideoSettings } from './video-settings.ts';

export interface VideoRequestOptions {
  /** As in the path: `img2video` is for images alone. */
  readonly route: 'text2video' | 'img2video';
  /** Whether `model` may be a name of the public vendor. */
  readonly acceptAliases: boolean;
}

/** Of a body that fits its schema. */
export function readVideoRequest(body: VideoTaskRequest, options: VideoRequestOptions): TaskRequest {
  const model = modelOf(body, options);
  const pictures = picturesOf(body);
  const needsImage = options.route === 'img2video';
  refuseBody([
    ...problemsOfPictures(pictures),
    ...problemsOfVideo({ body, rules: VIDEO_MODEL_RULES[model], needsImage }),
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

/** Refused at once: without a model nothing else can be judged. */
function modelOf(body: VideoTaskRequest, options: VideoRequestOptions): VideoModel {
  const model = toOwnModel(body.model, options);
  if (model !== undefined) return model;
  throw invalidBody([`model must be equal to one of the allowed values: ${VIDEO_MODELS.join(', ')}`]);
}

function picturesOf(body: VideoTaskRequest): TaskPicture[] {
  const pictures: TaskPicture[] = (body.images ?? []).map((value) => ({ field: 'images', value }));
  // Without a watermark nobody looks at it, so that nothing is fetched either.
  if (body.watermark && body.wm_url !== undefined) pictures.push({ field: 'wm_url', value: body.wm_url });
  return pictures;
}

import {
  AUDIO_TYPES,
  MOVEMENT_AMPLITUDES,
  VIDEO_MODELS,
  VIDEO_RESOLUTIONS,
  VIDEO_STYLES,
} from '@atelier/contracts/proxy-words';
import { type InputValues, int, optional, string } from '@atelier/engine';
import { choice, flag, MAX_SEED, text, webhook } from './inputs.ts';

export const DEFAULT_MODEL = 'clipq3-pro';

/** The server checks what each model supports, and its sentences are shown. */
export const model = choice(
  VIDEO_MODELS,
  DEFAULT_MODEL,
  'Without an image only clipq3-pro and clipq1 generate.',
);

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;
const advanced = { advanced: true } as const;

/** The inputs of both video nodes. Settings that are left out have the model's default. */
export const settingInputs = {
  duration: optional(
    int({
      default: 5,
      min: 1,
      max: 16,
      display: 'slider',
      tooltip:
        'Seconds: clipq3-pro 1 to 16; clipq2-pro-fast 1 to 10; clipq2-pro and clipq2-turbo 1 to 8; clipq1 models 5; clip2.0 4 or 8.',
    }),
  ),
  resolution: choice(
    ['auto', ...VIDEO_RESOLUTIONS],
    'auto',
    'Auto is the usual one of the model: 1080p for clipq1 models, 360p or 720p for clip2.0, 720p for others.',
  ),
  seed: optional(
    int({
      default: 0,
      min: 0,
      max: MAX_SEED,
      control_after_generate: true,
      tooltip: 'The same seed gives the same video; 0 is a random one.',
    }),
  ),
  style: choice(VIDEO_STYLES, 'general', 'The look of the video.'),
  movement_amplitude: choice(
    MOVEMENT_AMPLITUDES,
    'auto',
    'How much moves. Without effect on q2 and q3 models.',
  ),
  audio: choice(
    ['auto', 'on', 'off'],
    'auto',
    'Whether the video has sound of its own. Auto is on for q3 models and off for others.',
  ),
  audio_type: choice(
    AUDIO_TYPES,
    'all',
    'What is heard: voices and sound effects, or one of them. Without effect on q3 models.',
    advanced,
  ),
  bgm: flag(false, 'Adds background music. Without effect on q3 models.'),
  enhance: flag(false, 'Lets the vendor put more into the prompt.', advanced),
  priority: optional(
    int({ default: 0, min: 0, max: MAX_SEED, advanced: true, tooltip: 'Handed on to the vendor; 0 is not.' }),
  ),
  off_peak: flag(
    false,
    'Half the price, but it may take 48 hours, and this node waits for one hour at most.',
    advanced,
  ),
  watermark: flag(false, 'Puts a watermark on the video.', advanced),
  wm_position: choice(CORNERS, 'bottom-right', 'Where the watermark is.', advanced),
  wm_url: text('The picture of the watermark; empty for the usual one.'),
  meta_data: optional(
    string({ default: '', advanced: true, multiline: true, tooltip: 'JSON that goes with the video.' }),
  ),
  payload: text('A text that comes back with the task as it is.'),
  callback_url: webhook,
};

/** The settings in the form of the request. */
export function toSettings(values: InputValues<typeof settingInputs>): Record<string, unknown> {
  const { resolution, audio, audio_type, watermark, wm_position, wm_url, enhance, priority, ...rest } =
    values;
  const settings = {
    ...rest,
    resolution: resolution === 'auto' ? undefined : resolution,
    audio: audio === undefined || audio === 'auto' ? undefined : audio === 'on',
    audio_type: audio === 'off' ? undefined : audio_type,
    // Left out by default, because no vendor documents what they mean.
    enhance: enhance === true ? true : undefined,
    priority: priority === 0 ? undefined : priority,
    watermark,
    ...(watermark === true ? { wm_position: wm_position && CORNERS.indexOf(wm_position) + 1, wm_url } : {}),
  };
  return given(settings);
}

/** Without absent and empty values. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );
}

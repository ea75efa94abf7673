import {
  AUDIO_TYPES,
  MOVEMENT_AMPLITUDES,
  VIDEO_MODELS,
  VIDEO_RESOLUTIONS,
  VIDEO_STYLES,
} from '@atelier/contracts/proxy-words';
import { boolean, combo, type InputValues, int, optional, string } from '@atelier/engine';

export const DEFAULT_MODEL = 'clipq3-pro';

/** Which of them takes what is for the server to say: it knows the models, and its sentences are shown. */
export const model = optional(
  combo(VIDEO_MODELS, {
    default: DEFAULT_MODEL,
    tooltip: 'Without an image only clipq3-pro and clipq1 generate.',
  }),
);

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

/** What both video nodes can set. What is left out is as the model has it. */
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
  resolution: optional(
    combo(['auto', ...VIDEO_RESOLUTIONS], {
      default: 'auto',
      tooltip:
        'Auto is the usual one of the model: 1080p for clipq1 models, 360p or 720p for clip2.0, 720p for others.',
    }),
  ),
  seed: optional(
    int({
      default: 0,
      min: 0,
      max: 2_147_483_647,
      control_after_generate: true,
      tooltip: 'The same seed gives the same video; 0 is a random one.',
    }),
  ),
  style: optional(combo(VIDEO_STYLES, { default: 'general', tooltip: 'The look of the video.' })),
  movement_amplitude: optional(
    combo(MOVEMENT_AMPLITUDES, {
      default: 'auto',
      tooltip: 'How much moves. Without effect on q2 and q3 models.',
    }),
  ),
  audio: optional(
    combo(['auto', 'on', 'off'], {
      default: 'auto',
      tooltip: 'Whether the video has sound of its own. Auto is on for q3 models and off for others.',
    }),
  ),
  audio_type: optional(
    combo(AUDIO_TYPES, {
      default: 'all',
      advanced: true,
      tooltip: 'What is heard: voices and sound effects, or one of them. Without effect on q3 models.',
    }),
  ),
  bgm: optional(boolean({ default: false, tooltip: 'Adds background music. Without effect on q3 models.' })),
  enhance: optional(
    boolean({ default: false, advanced: true, tooltip: 'Lets the vendor put more into the prompt.' }),
  ),
  priority: optional(
    int({
      default: 0,
      min: 0,
      max: 2_147_483_647,
      advanced: true,
      tooltip: 'Handed on to the vendor; 0 is not.',
    }),
  ),
  off_peak: optional(
    boolean({
      default: false,
      advanced: true,
      tooltip: 'Half the price, but it may take 48 hours, and this node waits for one hour at most.',
    }),
  ),
  watermark: optional(boolean({ default: false, advanced: true, tooltip: 'Puts a watermark on the video.' })),
  wm_position: optional(
    combo(CORNERS, { default: 'bottom-right', advanced: true, tooltip: 'Where the watermark is.' }),
  ),
  wm_url: optional(
    string({
      default: '',
      advanced: true,
      tooltip: 'The picture of the watermark; empty for the usual one.',
    }),
  ),
  meta_data: optional(
    string({ default: '', advanced: true, multiline: true, tooltip: 'JSON that goes with the video.' }),
  ),
  payload: optional(
    string({ default: '', advanced: true, tooltip: 'A text that comes back with the task as it is.' }),
  ),
  callback_url: optional(
    string({
      default: '',
      advanced: true,
      tooltip: 'An address that is told of every change of the task. The node itself needs none.',
    }),
  ),
};

/** The settings as the request has them. */
export function toSettings(values: InputValues<typeof settingInputs>): Record<string, unknown> {
  const { resolution, audio, audio_type, watermark, wm_position, wm_url, enhance, priority, ...rest } =
    values;
  const settings = {
    ...rest,
    resolution: resolution === 'auto' ? undefined : resolution,
    audio: audio === undefined || audio === 'auto' ? undefined : audio === 'on',
    audio_type: audio === 'off' ? undefined : audio_type,
    // Nobody knows what these mean to the vendor when they are said without need.
    enhance: enhance === true ? true : undefined,
    priority: priority === 0 ? undefined : priority,
    watermark,
    ...(watermark === true ? { wm_position: wm_position && CORNERS.indexOf(wm_position) + 1, wm_url } : {}),
  };
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''),
  );
}

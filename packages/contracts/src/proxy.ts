import { type Static, Type } from 'typebox';

import { oneOf, optional, schema } from './fields.ts';
import {
  AUDIO_TYPES,
  MOVEMENT_AMPLITUDES,
  RELIGHT_DEFAULTS,
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  SKIN_DEFAULTS,
  SKIN_PURPOSES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
  VIDEO_ASPECT_RATIOS,
  VIDEO_DEFAULTS,
  VIDEO_MODEL_ALIASES,
  VIDEO_MODELS,
  VIDEO_RESOLUTIONS,
  VIDEO_STYLES,
} from './proxy-words.ts';
import { VENDORS } from './vendors.ts';

const Percent = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 100, default: fallback, description });
const Flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description });

/**
 * Pictures have no limit or format here: they can be 70 MB of text, and counting their characters alone takes a third of a second. They
 * are validated where they are read.
 */
const Picture = (what: string) =>
  Type.String({ description: `${what}: base64, a data URL, or a public https URL.` });

/** Not the format `uri`, whose check runs out of stack on megabytes of text. This pattern stops reading after the limit. */
const Address = (description: string) =>
  Type.String({
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S{1,4088}$',
    expects: 'an http or https URL of at most 4096 characters',
    example: 'https://example.com/hook',
    description,
  });
const Callback = Address('Receives a signed message for every change of the task.');

const skin = {
  image: Picture('The picture to work on'),
  ...optional({
    sharpen: Percent(SKIN_DEFAULTS.sharpen, 'How strongly edges are sharpened.'),
    smart_grain: Percent(SKIN_DEFAULTS.smart_grain, 'How much grain is added where it looks natural.'),
    webhook_url: Callback,
  }),
};

export const SkinFaithfulRequest = schema('SkinFaithfulRequest', {
  ...skin,
  skin_detail: Type.Optional(
    Percent(SKIN_DEFAULTS.skin_detail, 'How much of the texture of skin is brought out.'),
  ),
});
export type SkinFaithfulRequest = Static<typeof SkinFaithfulRequest>;

export const SkinCreativeRequest = schema('SkinCreativeRequest', skin);
export type SkinCreativeRequest = Static<typeof SkinCreativeRequest>;

export const SkinFlexibleRequest = schema('SkinFlexibleRequest', {
  ...skin,
  optimized_for: Type.Optional(
    oneOf(SKIN_PURPOSES, { default: SKIN_DEFAULTS.optimized_for, description: 'What to work toward.' }),
  ),
});
export type SkinFlexibleRequest = Static<typeof SkinFlexibleRequest>;

const { advanced_settings: tones } = RELIGHT_DEFAULTS;

export const RelightAdvancedSettings = schema('RelightAdvancedSettings', {
  ...optional({
    whites: Percent(tones.whites, 'The brightest tones; 50 leaves them.'),
    blacks: Percent(tones.blacks, 'The darkest tones; 50 leaves them.'),
    brightness: Percent(tones.brightness, '50 leaves it.'),
    contrast: Percent(tones.contrast, '50 leaves it.'),
    saturation: Percent(tones.saturation, '50 leaves it.'),
    engine: oneOf(RELIGHT_ENGINES, { default: tones.engine, description: 'The character of the result.' }),
    transfer_light_a: oneOf(TRANSFER_LIGHT_A, {
      default: tones.transfer_light_a,
      description: 'How strongly light is transferred.',
    }),
    transfer_light_b: oneOf(TRANSFER_LIGHT_B, {
      default: tones.transfer_light_b,
      description: 'How the transfer is distributed.',
    }),
    fixed_generation: Flag(tones.fixed_generation, 'The same request gives the same picture.'),
  }),
});
export type RelightAdvancedSettings = Static<typeof RelightAdvancedSettings>;

export const RelightRequest = schema('RelightRequest', {
  image: Picture('The picture to relight'),
  ...optional({
    prompt: Type.String({
      maxLength: 10_000,
      description:
        'Words for the light and the scene. `(phrase:weight)` with a weight from 1 to 1.4 emphasizes a phrase.',
    }),
    transfer_light_from_reference_image: Picture(
      'A picture whose light is transferred, not together with `transfer_light_from_lightmap`',
    ),
    transfer_light_from_lightmap: Picture(
      'A map of the light, white where it is bright, not together with `transfer_light_from_reference_image`',
    ),
    light_transfer_strength: Percent(
      RELIGHT_DEFAULTS.light_transfer_strength,
      '0 stays closest to the original, 100 transfers the most.',
    ),
    interpolate_from_original: Flag(
      RELIGHT_DEFAULTS.interpolate_from_original,
      'The result is mixed with the original by `light_transfer_strength`.',
    ),
    change_background: Flag(
      RELIGHT_DEFAULTS.change_background,
      'The background changes too, to match the prompt or the reference.',
    ),
    style: oneOf(RELIGHT_STYLES, { default: RELIGHT_DEFAULTS.style, description: 'A preset.' }),
    preserve_details: Flag(
      RELIGHT_DEFAULTS.preserve_details,
      'Texture and small details stay, such as those of products and lettering.',
    ),
    advanced_settings: RelightAdvancedSettings,
    webhook_url: Callback,
  }),
});
export type RelightRequest = Static<typeof RelightRequest>;

export const VideoTaskRequest = schema('VideoTaskRequest', {
  model: oneOf([...VIDEO_MODELS, ...VIDEO_MODEL_ALIASES], {
    description: `The model. The names that start with \`${VENDORS.videovendor.alias}\` are the public names of the others, in the same order.`,
  }),
  ...optional({
    prompt: Type.String({
      maxLength: 2000,
      description: 'What the video shows. It may be left out when there is an image.',
    }),
    images: Type.Array(Type.String(), {
      maxItems: 1,
      description: 'The start frame: base64, a data URL, or a public https URL. Most models need one.',
    }),
    duration: Type.Integer({
      minimum: 1,
      maximum: 16,
      description:
        'Seconds. `clipq3-pro` 1 to 16; `clipq2-pro-fast` 1 to 10; `clipq2-pro` and `clipq2-turbo` 1 to 8; `clipq1` and `clipq1-classic` 5; `clip2.0` 4 or 8. Absent: 5, and 4 for `clip2.0`.',
    }),
    resolution: oneOf(VIDEO_RESOLUTIONS, {
      description:
        'Models offer some of these for each duration. `2K` is for `clipq3-pro` with an image. Absent: 720p, or the default of the model.',
    }),
    aspect_ratio: oneOf(VIDEO_ASPECT_RATIOS, {
      default: VIDEO_DEFAULTS.aspect_ratio,
      description: 'Ignored with an image, which has its own. `3:4` and `4:3` are for the q2 and q3 models.',
    }),
    seed: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Absent or 0: one is chosen and returned.',
    }),
    style: oneOf(VIDEO_STYLES, {
      default: VIDEO_DEFAULTS.style,
      description: 'Has an effect on `clipq1` without an image.',
    }),
    movement_amplitude: oneOf(MOVEMENT_AMPLITUDES, {
      default: VIDEO_DEFAULTS.movement_amplitude,
      description: 'How much moves. Has no effect on the q2 and q3 models.',
    }),
    audio: Type.Boolean({
      description:
        'The video comes with sound. Absent: true on the q3 model, false on others, where it has an effect with an image only.',
    }),
    audio_type: oneOf(AUDIO_TYPES, {
      default: VIDEO_DEFAULTS.audio_type,
      description: 'What is heard when `audio` is true. Has no effect on the q3 model.',
    }),
    bgm: Flag(
      VIDEO_DEFAULTS.bgm,
      'Adds background music. Has no effect on the q3 model, nor on the q2 models at 9 and 10 seconds.',
    ),
    voice_id: Type.String({
      maxLength: 1000,
      description: 'The voice, when `audio` is true. Has no effect on the q3 model.',
    }),
    is_rec: Flag(VIDEO_DEFAULTS.is_rec, 'A recommended prompt replaces yours, for 10 credits more.'),
    enhance: Type.Boolean({
      description: 'Passed to an outside vendor unchanged; the local stand-in ignores it.',
    }),
    priority: Type.Integer({
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'Passed to an outside vendor unchanged; it has no effect on the queue here.',
    }),
    off_peak: Flag(
      VIDEO_DEFAULTS.off_peak,
      'For half the price, the task waits until the queue is idle, at most 48 hours.',
    ),
    callback_url: Callback,
    meta_data: Type.String({
      maxLength: 65_536,
      description: 'JSON as text, passed to an outside vendor.',
    }),
    payload: Type.String({
      maxLength: 1_048_576,
      description: 'Returned unchanged with every answer about the task.',
    }),
    watermark: Flag(VIDEO_DEFAULTS.watermark, 'Also makes a copy with a watermark: `watermarked_url`.'),
    wm_position: Type.Integer({
      minimum: 1,
      maximum: 4,
      default: VIDEO_DEFAULTS.wm_position,
      description: '1 top left, 2 top right, 3 bottom right, 4 bottom left.',
    }),
    wm_url: Address('A public https URL of the watermark. Absent: our own watermark.'),
  }),
});
export type VideoTaskRequest = Static<typeof VideoTaskRequest>;

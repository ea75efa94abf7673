/** The words and defaults of the generation proxy. Those that a request can leave out have their default here. */

export const SKIN_PURPOSES = [
  'enhance_skin',
  'improve_lighting',
  'enhance_everything',
  'transform_to_real',
  'no_make_up',
] as const;

export const SKIN_DEFAULTS = {
  sharpen: 0,
  smart_grain: 2,
  skin_detail: 80,
  optimized_for: 'enhance_skin',
} as const;

export const RELIGHT_STYLES = [
  'standard',
  'darker_but_realistic',
  'clean',
  'smooth',
  'brighter',
  'contrasted_n_hdr',
  'just_composition',
] as const;

export const RELIGHT_ENGINES = [
  'automatic',
  'balanced',
  'cool',
  'real',
  'illusio',
  'fairy',
  'colorful_anime',
  'hard_transform',
  'softy',
] as const;

export const TRANSFER_LIGHT_A = ['automatic', 'low', 'medium', 'normal', 'high', 'high_on_faces'] as const;

export const TRANSFER_LIGHT_B = [
  'automatic',
  'composition',
  'straight',
  'smooth_in',
  'smooth_out',
  'smooth_both',
  'reverse_both',
  'soft_in',
  'soft_out',
  'soft_mid',
  'strong_mid',
  'style_shift',
  'strong_shift',
] as const;

export const RELIGHT_DEFAULTS = {
  light_transfer_strength: 100,
  interpolate_from_original: false,
  change_background: true,
  style: 'standard',
  preserve_details: true,
  advanced_settings: {
    whites: 50,
    blacks: 50,
    brightness: 50,
    contrast: 50,
    saturation: 50,
    engine: 'automatic',
    transfer_light_a: 'automatic',
    transfer_light_b: 'automatic',
    fixed_generation: false,
  },
} as const;

export const VIDEO_MODELS = [
  'clipq3-pro',
  'clipq2-pro-fast',
  'clipq2-pro',
  'clipq2-turbo',
  'clipq1',
  'clipq1-classic',
  'clip2.0',
] as const;
export type VideoModel = (typeof VIDEO_MODELS)[number];

/** What the public video vendor calls the same models, in the same order. */
export const VIDEO_MODEL_ALIASES = [
  'viduq3-pro',
  'viduq2-pro-fast',
  'viduq2-pro',
  'viduq2-turbo',
  'viduq1',
  'viduq1-classic',
  'vidu2.0',
] as const;
export type VideoModelAlias = (typeof VIDEO_MODEL_ALIASES)[number];

export const VIDEO_RESOLUTIONS = ['360p', '540p', '720p', '1080p', '2K'] as const;
export type VideoResolution = (typeof VIDEO_RESOLUTIONS)[number];
export const VIDEO_ASPECT_RATIOS = ['16:9', '9:16', '1:1', '3:4', '4:3'] as const;
export type VideoAspectRatio = (typeof VIDEO_ASPECT_RATIOS)[number];
export const VIDEO_STYLES = ['general', 'anime'] as const;
export const MOVEMENT_AMPLITUDES = ['auto', 'small', 'medium', 'large'] as const;
export const AUDIO_TYPES = ['all', 'speech_only', 'sound_effect_only'] as const;

/** What does not depend on the model. */
export const VIDEO_DEFAULTS = {
  aspect_ratio: '16:9',
  style: 'general',
  movement_amplitude: 'auto',
  audio_type: 'all',
  bgm: false,
  is_rec: false,
  off_peak: false,
  watermark: false,
  wm_position: 3,
} as const;

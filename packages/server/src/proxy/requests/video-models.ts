import {
  VIDEO_ASPECT_RATIOS,
  type VideoAspectRatio,
  type VideoModel,
  type VideoResolution,
} from '@atelier/contracts';

/** What can be requested from a model, and which fields have an effect. */
export interface VideoModelRules {
  readonly durations: readonly number[];
  readonly defaultDuration: number;
  /** The default first. */
  readonly resolutions: readonly VideoResolution[];
  /** For durations that do not have all of them; the default first. */
  readonly resolutionsAt?: Readonly<Record<number, readonly VideoResolution[]>>;
  /** In addition with an image. */
  readonly resolutionsWithImage?: readonly VideoResolution[];
  readonly aspectRatios: readonly VideoAspectRatio[];
  /** Otherwise a request must have an image. */
  readonly makesFromText: boolean;
  /** `always`: there is sound unless it is declined. */
  readonly audio: 'always' | 'with-image';
  /** Whether `audio_type` and `voice_id` have an effect with sound. */
  readonly choosesAudio: boolean;
  /** The longest duration with which `bgm` has an effect; 0: none. */
  readonly musicUpToSeconds: number;
  readonly choosesMovement: boolean;
  /** Whether `style` has an effect without an image. */
  readonly choosesStyle: boolean;
}

const THREE_RATIOS = ['16:9', '9:16', '1:1'] as const;

const Q2 = {
  defaultDuration: 5,
  aspectRatios: VIDEO_ASPECT_RATIOS,
  makesFromText: false,
  audio: 'with-image',
  choosesAudio: true,
  musicUpToSeconds: 8,
  choosesMovement: false,
  choosesStyle: false,
} as const;

const Q1 = {
  durations: [5],
  defaultDuration: 5,
  resolutions: ['1080p'],
  aspectRatios: THREE_RATIOS,
  audio: 'with-image',
  choosesAudio: true,
  musicUpToSeconds: 5,
  choosesMovement: true,
} as const;

export const VIDEO_MODEL_RULES: Readonly<Record<VideoModel, VideoModelRules>> = {
  'clipq3-pro': {
    durations: upTo(16),
    defaultDuration: 5,
    resolutions: ['720p', '540p', '1080p'],
    resolutionsWithImage: ['2K'],
    aspectRatios: VIDEO_ASPECT_RATIOS,
    makesFromText: true,
    audio: 'always',
    choosesAudio: false,
    musicUpToSeconds: 0,
    choosesMovement: false,
    choosesStyle: false,
  },
  'clipq2-pro-fast': { ...Q2, durations: upTo(10), resolutions: ['720p', '1080p'] },
  'clipq2-pro': { ...Q2, durations: upTo(8), resolutions: ['720p', '540p', '1080p'] },
  'clipq2-turbo': { ...Q2, durations: upTo(8), resolutions: ['720p', '540p', '1080p'] },
  clipq1: { ...Q1, makesFromText: true, choosesStyle: true },
  'clipq1-classic': { ...Q1, makesFromText: false, choosesStyle: false },
  'clip2.0': {
    durations: [4, 8],
    defaultDuration: 4,
    resolutions: ['360p', '720p', '1080p'],
    resolutionsAt: { 8: ['720p'] },
    aspectRatios: THREE_RATIOS,
    makesFromText: false,
    audio: 'with-image',
    choosesAudio: true,
    musicUpToSeconds: 8,
    choosesMovement: true,
    choosesStyle: false,
  },
};

/** The resolutions for a duration, the default first. */
export function resolutionsFor(
  rules: VideoModelRules,
  { duration, hasImage }: { readonly duration: number; readonly hasImage: boolean },
): readonly VideoResolution[] {
  const { resolutions, resolutionsAt, resolutionsWithImage = [] } = rules;
  const withoutImage = resolutionsAt?.[duration] ?? resolutions;
  return hasImage ? [...withoutImage, ...resolutionsWithImage] : withoutImage;
}

function upTo(seconds: number): readonly number[] {
  return Array.from({ length: seconds }, (_, index) => index + 1);
}

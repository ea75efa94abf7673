import type { VideoModel, VideoResolution } from '@atelier/contracts';

import type { VideoSettings } from './video-settings.ts';

type Price = (seconds: number) => number;

/** The price of the first second and of each further one. Some models have another price for two seconds. */
const from =
  (one: number, further: number, two = one + further): Price =>
  (seconds) =>
    seconds === 1 ? one : two + further * (seconds - 2);
const flat = (credits: number): Price => from(credits, 0);

/** The vendor's published table, in credits. */
const PRICES: Readonly<Record<VideoModel, Partial<Record<VideoResolution, Price>>>> = {
  'clipq3-pro': { '540p': from(9, 9), '720p': from(20, 20), '1080p': from(24, 24), '2K': from(40, 40) },
  'clipq2-pro-fast': { '720p': from(8, 2), '1080p': from(16, 4) },
  'clipq2-pro': { '540p': from(8, 5, 10), '720p': from(15, 10), '1080p': from(55, 15) },
  'clipq2-turbo': { '540p': from(6, 2), '720p': from(8, 10, 10), '1080p': from(35, 10) },
  clipq1: { '1080p': flat(80) },
  'clipq1-classic': { '1080p': flat(80) },
  'clip2.0': { '360p': flat(20), '720p': (seconds) => (seconds > 4 ? 100 : 40), '1080p': flat(100) },
};

const SOUND = 15;
const MUSIC = 15;
const RECOMMENDED_PROMPT = 10;
/** The price of other models includes sound. */
const SOUND_COSTS: ReadonlySet<VideoModel> = new Set(['clipq2-pro-fast', 'clipq2-pro', 'clipq2-turbo']);

/** Flags are true only where they have an effect. */
export type PricedVideo = Pick<
  VideoSettings,
  'model' | 'duration' | 'resolution' | 'audio' | 'bgm' | 'is_rec' | 'off_peak'
>;

/** In credits. Off-peak halves the price of the video, rounded up, but not of its extras. */
export function priceOfVideo(video: PricedVideo): number {
  const price = PRICES[video.model][video.resolution];
  if (!price) throw new Error(`${video.model} has no price for ${video.resolution}`);
  const whole = price(video.duration);
  const base = video.off_peak ? Math.ceil(whole / 2) : whole;
  const sound = video.audio && SOUND_COSTS.has(video.model) ? SOUND : 0;
  return base + sound + (video.bgm ? MUSIC : 0) + (video.is_rec ? RECOMMENDED_PROMPT : 0);
}

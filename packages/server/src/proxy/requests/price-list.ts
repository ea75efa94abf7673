import { type PriceList, VIDEO_MODELS, type VideoModel } from '@atelier/contracts';

import { resolutionsFor, VIDEO_MODEL_RULES } from './video-models.ts';
import { type PricedVideo, priceOfVideo } from './video-price.ts';

const PLAIN = { audio: false, bgm: false, is_rec: false, off_peak: false } as const;

/** Everything that can be requested, at the price of `priceOfVideo` times `factor`. 0: videos are free. */
export function listVideoPrices(factor: 0 | 1): PriceList['videos'] {
  return VIDEO_MODELS.map((model) => ({
    model,
    prices: pricesOf(model).map((price) => ({
      ...price,
      credits: price.credits * factor,
      off_peak_credits: price.off_peak_credits * factor,
    })),
    extras: factor === 0 ? { audio: 0, bgm: 0, is_rec: 0 } : extrasOf(model),
  }));
}

function pricesOf(model: VideoModel): PriceList['videos'][number]['prices'] {
  const rules = VIDEO_MODEL_RULES[model];
  return rules.durations.flatMap((duration) => {
    const fromText = rules.makesFromText ? resolutionsFor(rules, { duration, hasImage: false }) : [];
    return resolutionsFor(rules, { duration, hasImage: true }).map((resolution) => ({
      resolution,
      duration,
      needs_image: !fromText.includes(resolution),
      credits: priceOfVideo({ ...PLAIN, model, resolution, duration }),
      off_peak_credits: priceOfVideo({ ...PLAIN, model, resolution, duration, off_peak: true }),
    }));
  });
}

function extrasOf(model: VideoModel): PriceList['videos'][number]['extras'] {
  const { durations, resolutions, musicUpToSeconds } = VIDEO_MODEL_RULES[model];
  const [duration] = durations;
  const [resolution] = resolutions;
  if (duration === undefined || resolution === undefined) throw new Error(`${model} makes nothing`);
  const video: PricedVideo = { ...PLAIN, model, resolution, duration };
  const added = (extra: Partial<PricedVideo>) => priceOfVideo({ ...video, ...extra }) - priceOfVideo(video);
  return {
    audio: added({ audio: true }),
    bgm: musicUpToSeconds === 0 ? 0 : added({ bgm: true }),
    is_rec: added({ is_rec: true }),
  };
}

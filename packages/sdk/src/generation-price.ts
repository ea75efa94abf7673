import { usageError } from './errors.ts';
import type { PriceList } from './wire.ts';

export interface GenerationPrice {
  readonly credits: number;
  /** It may cost less: an extra has no effect on some videos. */
  readonly isUpperBound: boolean;
}

/** What determines the price of a video. */
export interface VideoChoice {
  readonly model?: string;
  readonly images?: readonly unknown[];
  readonly duration?: number;
  readonly resolution?: string;
  readonly audio?: boolean;
  readonly bgm?: boolean;
  readonly is_rec?: boolean;
  readonly off_peak?: boolean;
}

const DEFAULT_SECONDS = 5;

/** The price of a request; `undefined` for a model that is not in the list. Throws for a video that no model can make. */
export function priceOf(
  { images, videos }: PriceList,
  kind: 'skin' | 'relight' | 'video',
  request: VideoChoice,
): GenerationPrice | undefined {
  if (kind !== 'video')
    return { credits: images[kind === 'skin' ? 'skin-enhancer' : 'image-relight'], isUpperBound: false };
  // Public names and those in the list differ in their prefix.
  const name = request.model?.replace(/^vidu/, 'clip');
  const model = videos.find((one) => one.model === name);
  if (!model) return undefined;
  const { prices, extras } = model;
  const ownSeconds = prices.some(({ duration }) => duration === DEFAULT_SECONDS)
    ? DEFAULT_SECONDS
    : prices[0]?.duration;
  const duration = request.duration ?? ownSeconds;
  const offers = prices.filter((price) => price.duration === duration);
  if (offers.length === 0)
    throw usageError(
      `${name} does not make videos of ${duration} seconds, but of ${[...new Set(prices.map((price) => price.duration))].join(', ')}.`,
    );
  // The default comes first.
  const offer = offers.find(({ resolution }) => resolution === (request.resolution ?? offers[0]?.resolution));
  if (!offer)
    throw usageError(
      `${name} does not make ${request.resolution} at ${duration} seconds, but ${offers.map(({ resolution }) => resolution).join(', ')}.`,
    );
  if (offer.needs_image && request.images === undefined)
    throw usageError(`${name} needs a start frame for that.`);
  const added =
    (request.audio === true ? extras.audio : 0) +
    (request.bgm === true ? extras.bgm : 0) +
    (request.is_rec === true ? extras.is_rec : 0);
  const base = request.off_peak === true ? offer.off_peak_credits : offer.credits;
  return { credits: base + added, isUpperBound: request.bgm === true && extras.bgm > 0 };
}

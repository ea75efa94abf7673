import type { PriceList } from '@atelier/sdk';

import type { Values } from './build-request.ts';

const USUAL_SECONDS = 5;

/** The options of a video model, given the values chosen so far. */
export interface VideoOptions {
  readonly models: readonly string[];
  readonly durations: readonly number[];
  readonly resolutions: readonly string[];
  /** The value used if nothing was chosen. */
  readonly model: string;
  readonly duration: number | undefined;
  readonly resolution: string | undefined;
  /** The model requires a start frame. */
  readonly needsImage: boolean;
}

/** The possible durations and resolutions depend on the model and on a start frame; the price list has them. */
export function videoOptionsOf({ videos }: PriceList, values: Values, hasImage: boolean): VideoOptions {
  const models = videos.map(({ model }) => model);
  const model = models.find((one) => one === values['model']) ?? models[0] ?? '';
  const all = videos.find((one) => one.model === model)?.prices ?? [];
  const open = all.filter((price) => hasImage || !price.needs_image);
  const prices = open.length > 0 ? open : all;
  const durations = [...new Set(prices.map(({ duration }) => duration))];
  const usual = durations.includes(USUAL_SECONDS) ? USUAL_SECONDS : durations[0];
  const duration = durations.find((one) => one === values['duration']) ?? usual;
  const resolutions = prices
    .filter((price) => price.duration === duration)
    .map(({ resolution }) => resolution);
  const resolution = resolutions.find((one) => one === values['resolution']) ?? resolutions[0];
  return { models, durations, resolutions, model, duration, resolution, needsImage: open.length === 0 };
}

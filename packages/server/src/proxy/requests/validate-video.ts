import type { VideoTaskRequest } from '@atelier/contracts';

import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { resolutionsFor, type VideoModelRules } from './video-models.ts';

interface VideoBody {
  readonly body: VideoTaskRequest;
  readonly rules: VideoModelRules;
  readonly needsImage: boolean;
}

/** What a schema cannot check: a sentence for each problem, with the field as on the wire and the model as it was sent. */
export function validateVideo(video: VideoBody): string[] {
  return [
    ...validateSubject(video),
    ...validateDuration(video),
    ...validateResolution(video),
    ...validateAspectRatio(video),
    ...validateMetaData(video),
  ];
}

function validateSubject({ body, rules, needsImage }: VideoBody): string[] {
  if (hasImage(body)) return [];
  if (needsImage) return ['images must have exactly one image'];
  if (!rules.makesFromText) return [`images must have one image: ${body.model} makes videos of images only`];
  const saysNothing = (body.prompt ?? '').trim() === '';
  return saysNothing ? ['prompt must say what is to be seen: it may be empty only with an image'] : [];
}

function validateDuration({ body: { duration, model }, rules: { durations } }: VideoBody): string[] {
  if (duration === undefined || durations.includes(duration)) return [];
  const [first, second] = durations;
  const last = durations.at(-1);
  if (durations.length === 1) return [`duration must be ${first} for ${model}`];
  if (durations.length === 2) return [`duration must be ${first} or ${second} for ${model}`];
  return [`duration must be from ${first} to ${last} for ${model}`];
}

function validateResolution({ body, rules, needsImage }: VideoBody): string[] {
  const { resolution, model, duration = rules.defaultDuration } = body;
  if (resolution === undefined) return [];
  const isImageMissing = !hasImage(body) && !needsImage;
  const allowed = resolutionsFor(rules, { duration, hasImage: !isImageMissing });
  if (allowed.includes(resolution)) return [];
  const atDuration = rules.resolutionsAt?.[duration] ? ` at ${duration} seconds` : '';
  const withoutImage =
    isImageMissing && rules.resolutionsWithImage?.includes(resolution) ? ' without an image' : '';
  return [`resolution must be ${oneOf(allowed)} for ${model}${atDuration}${withoutImage}`];
}

function validateAspectRatio({ body: { aspect_ratio: ratio, model }, rules: { aspectRatios } }: VideoBody) {
  if (ratio === undefined || aspectRatios.includes(ratio)) return [];
  return [`aspect_ratio must be ${oneOf(aspectRatios)} for ${model}`];
}

function validateMetaData({ body: { meta_data: text } }: VideoBody): string[] {
  if (text === undefined || parseJsonOrUndefined(text) !== undefined) return [];
  return ['meta_data must be JSON as text, such as {"order": 7}'];
}

function hasImage({ images }: VideoTaskRequest): boolean {
  return images?.[0] !== undefined;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;
}

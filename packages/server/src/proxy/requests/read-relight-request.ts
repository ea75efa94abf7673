import { RELIGHT_DEFAULTS, type RelightRequest } from '@atelier/contracts';

import { chooseSeed } from './choose-seed.ts';
import { problemsOfPictures } from './problems-of-pictures.ts';
import { problemsOfWeights } from './prompt-weights.ts';
import { refuseBody } from './refuse-body.ts';
import type { PictureField, TaskPicture, TaskRequest } from './task-request.ts';

const PICTURES = [
  'image',
  'transfer_light_from_reference_image',
  'transfer_light_from_lightmap',
] as const satisfies readonly PictureField[];

/** Of a body that fits its schema. */
export function readRelightRequest(body: RelightRequest, options: { readonly credits: number }): TaskRequest {
  const pictures: readonly TaskPicture[] = PICTURES.flatMap((field) => {
    const value = body[field];
    return value === undefined ? [] : [{ field, value }];
  });
  const prompt = body.prompt ?? '';
  refuseBody([
    ...problemsOfPictures(pictures),
    ...problemsOfLight(body),
    ...problemsOfWeights('prompt', prompt),
  ]);
  return {
    kind: 'relight',
    settings: settingsOf(body, prompt),
    pictures,
    credits: options.credits,
    seed: chooseSeed(),
    offPeak: false,
    webhook: body.webhook_url === undefined ? undefined : { field: 'webhook_url', url: body.webhook_url },
    shown: {},
  };
}

function problemsOfLight(body: RelightRequest): string[] {
  const { transfer_light_from_lightmap: map, transfer_light_from_reference_image: reference } = body;
  if (map === undefined || reference === undefined) return [];
  return ['transfer_light_from_lightmap must not be given together with transfer_light_from_reference_image'];
}

function settingsOf(body: RelightRequest, prompt: string): TaskRequest['settings'] {
  const { advanced_settings: advanced, ...plain } = RELIGHT_DEFAULTS;
  return {
    prompt,
    light_transfer_strength: body.light_transfer_strength ?? plain.light_transfer_strength,
    interpolate_from_original: body.interpolate_from_original ?? plain.interpolate_from_original,
    change_background: body.change_background ?? plain.change_background,
    style: body.style ?? plain.style,
    preserve_details: body.preserve_details ?? plain.preserve_details,
    advanced_settings: advancedOf(body.advanced_settings ?? {}, advanced),
  };
}

/** Only what we know: unknown members of the caller's are not stored. */
function advancedOf(
  asked: NonNullable<RelightRequest['advanced_settings']>,
  fallback: (typeof RELIGHT_DEFAULTS)['advanced_settings'],
): Required<NonNullable<RelightRequest['advanced_settings']>> {
  return {
    whites: asked.whites ?? fallback.whites,
    blacks: asked.blacks ?? fallback.blacks,
    brightness: asked.brightness ?? fallback.brightness,
    contrast: asked.contrast ?? fallback.contrast,
    saturation: asked.saturation ?? fallback.saturation,
    engine: asked.engine ?? fallback.engine,
    transfer_light_a: asked.transfer_light_a ?? fallback.transfer_light_a,
    transfer_light_b: asked.transfer_light_b ?? fallback.transfer_light_b,
    fixed_generation: asked.fixed_generation ?? fallback.fixed_generation,
  };
}

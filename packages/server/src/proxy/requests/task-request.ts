import { randomInt } from 'node:crypto';
import type { TaskKind, VideoTaskResponse } from '@atelier/contracts';

/** A valid request as it is stored, charged and executed. */
export interface TaskRequest {
  readonly kind: TaskKind;
  /**
   * Names as on the wire, with defaults and our name of the model, without pictures, URLs and the payload. Fields without an effect on the
   * model have the value that does nothing.
   */
  readonly settings: Readonly<Record<string, unknown>>;
  /** In the order in which they are checked. */
  readonly pictures: readonly TaskPicture[];
  readonly credits: number;
  /** The source of all randomness, so that the same request gives the same result. Not 0. */
  readonly seed: number;
  readonly offPeak: boolean;
  readonly webhook?: { readonly field: 'webhook_url' | 'callback_url'; readonly url: string } | undefined;
  readonly payload?: string | undefined;
  /** What answers repeat as it was sent. */
  readonly shown: TaskShown;
}

/** A picture as it was sent: base64, a data URL or a URL. */
export interface TaskPicture {
  /** As on the wire. */
  readonly field: PictureField;
  readonly value: string;
}

export type PictureField =
  | 'image'
  | 'transfer_light_from_reference_image'
  | 'transfer_light_from_lightmap'
  | 'images'
  | 'wm_url';

export type TaskShown = Partial<
  Pick<VideoTaskResponse, 'model' | 'style' | 'movement_amplitude' | 'ignored_words'>
>;

const SEEDS = 2 ** 31;

/** From 1 to 2147483647: on the wire 0 asks for a random one. */
export function chooseSeed(): number {
  return randomInt(1, SEEDS);
}

/** Only a cheap check. The bytes are validated where they are read. */
export function validatePictures(pictures: readonly TaskPicture[]): string[] {
  return pictures
    .filter(({ value }) => value === '')
    .map(({ field }) => `${field} must be a picture: base64, a data URL or an https URL`);
}

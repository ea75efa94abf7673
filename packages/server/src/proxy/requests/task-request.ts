import type { VideoTaskResponse } from '@atelier/contracts';

import type { TaskKind } from '../task-kinds.ts';

/** A request that was found good, as plain data: what is stored, paid for and done. */
export interface TaskRequest {
  readonly kind: TaskKind;
  /**
   * The names of the wire with defaults filled in and the model's own name. What has no effect on a model has the value
   * that does nothing. Without pictures, addresses and what the caller only wants back.
   */
  readonly settings: Readonly<Record<string, unknown>>;
  /** In the order in which they are looked at. */
  readonly pictures: readonly TaskPicture[];
  readonly credits: number;
  /** Whatever is left to chance follows from it, so that making it again makes the same. Not 0. */
  readonly seed: number;
  readonly offPeak: boolean;
  readonly webhook?: TaskWebhook | undefined;
  readonly payload?: string | undefined;
  /** What answers say where the settings differ from what was asked for. */
  readonly shown: TaskShown;
}

/** A picture as the caller gave it: base64, a data URL or an address. */
export interface TaskPicture {
  /** As on the wire, so that a refusal can name it. */
  readonly field: PictureField;
  readonly value: string;
}

export type PictureField =
  | 'image'
  | 'transfer_light_from_reference_image'
  | 'transfer_light_from_lightmap'
  | 'images'
  | 'wm_url';

export interface TaskWebhook {
  readonly field: 'webhook_url' | 'callback_url';
  readonly url: string;
}

export type TaskShown = Partial<Pick<VideoTaskResponse, 'model' | 'style' | 'movement_amplitude'>>;

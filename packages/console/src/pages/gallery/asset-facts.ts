import type { Asset } from '@atelier/sdk';

import { atelier } from '../../atelier.ts';

export type AssetKind = 'picture' | 'video' | 'audio' | 'other';

export function kindOf({ mime_type: type = '' }: Pick<Asset, 'mime_type'>): AssetKind {
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('video/')) return 'video';
  return type.startsWith('audio/') ? 'audio' : 'other';
}

const days = new WeakMap<Asset, number>();

/** The local day of an asset as one number: 20260131. */
export function dayOf(asset: Asset): number {
  let day = days.get(asset);
  if (day === undefined) {
    day = dayNumber(new Date(asset.created_at));
    days.set(asset, day);
  }
  return day;
}

export function dayNumber(date: Date): number {
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
}

export function dateOfDay(day: number): Date {
  return new Date(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
}

/** The smallest preview that is sharp in that box. */
export function previewFor(asset: Pick<Asset, 'id'>, width: number, height: number): string {
  const pixels = Math.max(width, height) * devicePixelRatio;
  // A slightly smaller preview is not noticeable.
  const size = pixels <= 280 ? 256 : pixels <= 580 ? 512 : 1024;
  return atelier.assets.previewUrl(asset.id, size);
}

const CARRIERS = new Set(['image/png', 'image/webp', 'video/mp4']);

/** Whether a job's workflow belongs to the file, or one may be embedded in it. */
export function mayHaveWorkflow({ job_id: job, mime_type: type = '' }: Asset): boolean {
  return job !== undefined || CARRIERS.has(type);
}

import type { Sharp } from 'sharp';

import { AppError } from '../../../platform/errors/app-error.ts';
import { loadSharp } from '../../../platform/pictures/load-sharp.ts';
import { READING } from '../../../platform/pictures/picture-limits.ts';

export type Channel = 'rgb' | 'rgba' | 'a' | 'alpha';
type Format = 'png' | 'jpeg' | 'webp';

export interface Variant {
  /** `flat` is what is seen on white. */
  readonly channel: Channel | 'flat';
  readonly format: Format;
  /** The edge of the square that it fits in. */
  readonly res?: number;
  readonly quality?: number;
}

export interface VariantQuery {
  readonly channel?: Channel | undefined;
  readonly res?: number | undefined;
  /** `webp` or `jpeg`, and perhaps `;` and a quality. */
  readonly preview?: string | undefined;
}

const DEADLINE_SECONDS = 60;
const PREVIEW_QUALITY = 90;
const THUMBNAIL_QUALITY = 82;

/** `undefined` when the file itself is asked for. */
export function toVariant({ channel, res, preview }: VariantQuery): Variant | undefined {
  if (channel === undefined && res === undefined && preview === undefined) return undefined;
  const size = res === undefined ? {} : { res };
  const showsAlpha = channel === 'a' || channel === 'rgba';
  if (preview !== undefined) {
    const [wanted, given = ''] = preview.split(';');
    const quality = /^\d{1,3}$/.test(given) ? Math.min(100, Math.max(1, Number(given))) : PREVIEW_QUALITY;
    const format = wanted === 'jpeg' && !showsAlpha ? 'jpeg' : 'webp';
    return { channel: channel ?? (format === 'jpeg' ? 'rgb' : 'rgba'), format, quality, ...size };
  }
  if (res !== undefined && !showsAlpha) {
    return { channel: channel ?? 'flat', format: 'jpeg', quality: THUMBNAIL_QUALITY, res };
  }
  return { channel: channel ?? 'rgba', format: 'png', ...size };
}

/** One name for each variant, good as a file name. */
export function nameVariant({ channel, format, res = 0, quality = 0 }: Variant): string {
  return `${channel}-${res}-${quality}.${format}`;
}

/** Renders the first frame, as its EXIF data says it is to be turned. */
export async function renderVariant(source: string, target: string, variant: Variant): Promise<void> {
  const sharp = await loadSharp();
  const { res, quality } = variant;
  try {
    let picture = takeChannel(sharp(source, { ...READING, autoOrient: true }), variant);
    if (res !== undefined) {
      picture = picture.resize({ width: res, height: res, fit: 'inside', withoutEnlargement: true });
    }
    await picture
      .timeout({ seconds: DEADLINE_SECONDS })
      .toFormat(variant.format, quality === undefined ? {} : { quality })
      .toFile(target);
  } catch (cause) {
    throw new AppError('request.invalid', 'This file is not a picture that can be shown in another form.', {
      cause,
    });
  }
}

function takeChannel(picture: Sharp, { channel }: Variant): Sharp {
  switch (channel) {
    case 'flat':
      return picture.flatten({ background: '#fff' }).toColorspace('srgb');
    case 'rgb':
      return picture.removeAlpha().toColorspace('srgb');
    case 'rgba':
      return picture.ensureAlpha().toColorspace('srgb');
    case 'a':
      // One factor for all leaves the alpha alone.
      return picture.linear(0, 0).ensureAlpha().toColorspace('srgb');
    case 'alpha':
      return picture.ensureAlpha().extractChannel('alpha');
  }
}

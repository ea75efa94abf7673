import type { Sharp } from 'sharp';

import { AppError } from '../../../platform/errors/app-error.ts';
import { loadSharp } from '../../../platform/pictures/load-sharp.ts';
import { READING } from '../../../platform/pictures/picture-limits.ts';

export type Channel = 'rgb' | 'rgba' | 'a' | 'alpha';
type Format = 'png' | 'jpeg' | 'webp';

export interface Variant {
  /** `flat` is the picture on white. */
  readonly channel: Channel | 'flat';
  readonly format: Format;
  /** The edge of the square that the picture fits in. */
  readonly res?: number;
  readonly quality?: number;
}

export interface VariantQuery {
  readonly channel?: Channel | undefined;
  readonly res?: number | undefined;
  /** `webp` or `jpeg`, optionally followed by `;` and a quality. */
  readonly preview?: string | undefined;
}

const DEADLINE_SECONDS = 60;
const PREVIEW_QUALITY = 90;
const THUMBNAIL_QUALITY = 82;

/** `undefined` when the query asks for the file itself. */
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

/** A unique name for each variant, valid as a file name. */
export function nameVariant({ channel, format, res = 0, quality = 0 }: Variant): string {
  return `${channel}-${res}-${quality}.${format}`;
}

/** Renders the first frame, turned by its EXIF orientation. */
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
      // A single factor leaves the alpha unchanged.
      return picture.linear(0, 0).ensureAlpha().toColorspace('srgb');
    case 'alpha':
      return picture.ensureAlpha().extractChannel('alpha');
  }
}

import { valueError } from '@atelier/engine';
import type { Sharp, SharpOptions } from 'sharp';
import { cmykToRgb } from './byte-colors.ts';
import { checkBounds, type DecodedPictures, damagedPicture, MAX_PIXELS } from './decoded-pictures.ts';
import { loadSharp } from './load-sharp.ts';

type Format = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif';

export interface SharpSource {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: Format;
  /** Called between the steps; throws if the job was cancelled. */
  readonly checkpoint: () => void;
}

const READING: SharpOptions = {
  // Reads what a viewer would show, but no truncated file.
  failOn: 'error',
  limitInputPixels: MAX_PIXELS,
  // ComfyUI has no color management, so values stay as they are.
  ignoreIcc: true,
};

type Header = Awaited<ReturnType<typeof readHeader>>;

/** Decodes every frame or page of a file. Pages of another size than the first are skipped. */
export async function decodeWithSharp(source: SharpSource): Promise<DecodedPictures> {
  const header = await readHeader(source, 0);
  checkBounds(source.name, { ...header, frames: header.pages });
  source.checkpoint();
  if (source.format === 'tiff' && header.pages > 1) return await decodePages(source, header);
  return await decodeAt(source, header, header.pages > 1 ? { pages: -1 } : { autoOrient: true });
}

async function readHeader({ name, bytes, format }: SharpSource, page: number) {
  const sharp = await loadSharp();
  const found = await sharp(bytes, { ...READING, limitInputPixels: false, page })
    .metadata()
    .catch((error: unknown) => Promise.reject(damagedPicture(name, error)));
  const { width, height, pages = 1, space, depth, channels, isPalette } = found;
  if (depth !== 'uchar' && depth !== 'ushort') {
    throw valueError(`${name} has ${depth} samples; pictures with 8 or 16 bits are read.`);
  }
  // FFmpeg, the decoder of ComfyUI, gives these an alpha; that of CMYK pictures is opaque.
  const hasAlpha = found.hasAlpha || isPalette || (format === 'jpeg' && channels === 4);
  return { width, height, pages, space, wide: depth === 'ushort', hasAlpha };
}

async function decodeAt(
  { name, bytes, checkpoint }: SharpSource,
  header: Header,
  options: SharpOptions,
): Promise<DecodedPictures> {
  const sharp = await loadSharp();
  const reading = inOwnColors(sharp(bytes, { ...READING, ...options }), header);
  const { data, info } = await reading
    .raw({ depth: header.wide ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => Promise.reject(damagedPicture(name, error)));
  checkpoint();
  const frames = options.pages === -1 ? header.pages : 1;
  const decoded = {
    width: info.width,
    height: info.height / frames,
    frames,
    channels: info.channels,
    samples: header.wide ? shortsIn(data) : data,
    hasAlpha: header.hasAlpha,
  };
  return header.space === 'cmyk' ? cmykToRgb(decoded) : decoded;
}

/** Keeps libvips from converting to 8 bits, or from CMYK by its own profile. */
function inOwnColors(reading: Sharp, { space, wide }: Header): Sharp {
  if (space === 'cmyk') return reading.pipelineColorspace('cmyk').toColorspace('cmyk');
  if (!wide) return reading;
  return reading.toColorspace(space === 'grey16' ? 'grey16' : 'rgb16');
}

async function decodePages(source: SharpSource, header: Header): Promise<DecodedPictures> {
  const first = await decodeAt(source, header, { page: 0, autoOrient: true });
  const pages = [first];
  for (let page = 1; page < header.pages; page++) {
    const { width, height, space, wide } = await readHeader(source, page);
    source.checkpoint();
    if (width !== header.width || height !== header.height || space !== header.space || wide !== header.wide)
      continue;
    const decoded = await decodeAt(source, header, { page, autoOrient: true });
    if (decoded.width === first.width && decoded.channels === first.channels) pages.push(decoded);
  }
  const size = first.samples.length;
  const samples = header.wide ? new Uint16Array(size * pages.length) : new Uint8Array(size * pages.length);
  pages.forEach((page, index) => samples.set(page.samples, index * size));
  return { ...first, frames: pages.length, samples };
}

function shortsIn({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Uint16Array {
  return byteOffset % 2 === 0
    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
    : new Uint16Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

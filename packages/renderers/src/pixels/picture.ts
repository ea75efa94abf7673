import { loadSharp } from '@atelier/nodes/sharp';
import type { ResizeOptions, Sharp, SharpOptions } from 'sharp';
import { RenderError } from '../render-request.ts';
import type { Planes, Size } from './planes.ts';

/** A decoded picture, upright and in sRGB. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of every pixel, row by row; never alpha. A renderer may write into it. */
  readonly rgb: Uint8Array;
  /** One byte per pixel. Absent without transparency. */
  readonly alpha?: Uint8Array | undefined;
  /** The format in which it is written: that of the file where possible, otherwise PNG. */
  readonly format: PictureFormat;
}

export type PictureFormat = 'jpeg' | 'png' | 'webp';

export interface ReadOptions {
  /** Reduces a picture whose longer edge has more pixels. */
  readonly longestEdge?: number | undefined;
  /** Resizes to exactly this size, cropping the longer side. */
  readonly cover?: { readonly width: number; readonly height: number } | undefined;
}

const MAX_PIXELS = 67_108_864;
const MAX_EDGE = 16_384;

/** Others are not decoded: an SVG, for example, may name other files. */
const READ = new Set(['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif']);

const READING: SharpOptions = { failOn: 'error', limitInputPixels: MAX_EDGE * MAX_EDGE };

/** Reads the first frame. Throws a `RenderError` for an unreadable file. */
export async function readPicture(path: string, options: ReadOptions = {}): Promise<Picture> {
  const library = await loadSharp();
  const { format, mediaIsWide, hasAlpha } = await readHeader(library, path);
  const reading = resized(library(path, { ...READING, autoOrient: true }), options);
  // libvips would return 16-bit pictures in Display P3.
  if (mediaIsWide) reading.withIccProfile('srgb');
  const { data, info } = await reading
    .toColorspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => Promise.reject(unreadable(error)));
  const { width, height, channels } = info;
  if (channels === 3) return { width, height, rgb: data, format };
  return { width, height, ...splitAlpha(data, channels, hasAlpha), format };
}

/** Reduces the picture to float planes from 0 to 255. */
export async function reduced(
  { width, height, rgb }: Picture,
  longestEdge: number,
): Promise<Size & { readonly planes: Planes }> {
  const library = await loadSharp();
  const { data, info } = await library(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...within(longestEdge), kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const plane = (channel: number): Float32Array =>
    new Float32Array(info.width * info.height).map((_, at) => data[at * 3 + channel] ?? 0);
  return { width: info.width, height: info.height, planes: [plane(0), plane(1), plane(2)] };
}

export async function blurredBytes(
  plane: Uint8Array,
  { width, height }: Size,
  sigma: number,
): Promise<Uint8Array> {
  const library = await loadSharp();
  return await library(plane, { raw: { width, height, channels: 1 } })
    .blur(sigma)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
}

export async function writePicture(picture: Picture, path: string): Promise<void> {
  await encoded(await toSharp(picture), picture.format).toFile(path);
}

export async function toSharp({ width, height, rgb, alpha }: Picture): Promise<Sharp> {
  const library = await loadSharp();
  const colors = library(rgb, { raw: { width, height, channels: 3 } });
  return alpha ? colors.joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } }) : colors;
}

function encoded(writing: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return writing.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
    case 'webp':
      return writing.webp({ quality: 95, alphaQuality: 100, smartSubsample: true });
    case 'png':
      return writing.png({ compressionLevel: 6 });
  }
}

async function readHeader(library: Awaited<ReturnType<typeof loadSharp>>, path: string) {
  const found = await library(path, { ...READING, limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => Promise.reject(unreadable(error)));
  const { width, height, format, depth, hasProfile, hasAlpha } = found;
  if (!READ.has(format)) throw unreadable(new Error(`${format} is not read`));
  if (width > MAX_EDGE || height > MAX_EDGE || width * height > MAX_PIXELS) {
    throw new RenderError(
      `The picture has ${width} by ${height} pixels. At most ${MAX_EDGE} an edge and ${MAX_PIXELS} in all are taken.`,
    );
  }
  const written: PictureFormat = format === 'jpeg' || format === 'webp' ? format : 'png';
  return { format: written, mediaIsWide: depth === 'ushort' && hasProfile, hasAlpha };
}

function resized(reading: Sharp, { longestEdge, cover }: ReadOptions): Sharp {
  if (cover !== undefined) return reading.resize({ ...cover, fit: 'cover' });
  if (longestEdge === undefined) return reading;
  return reading.resize(within(longestEdge));
}

function within(longestEdge: number): ResizeOptions {
  return { width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true };
}

function splitAlpha(
  samples: Uint8Array,
  channels: number,
  hasAlpha: boolean,
): Pick<Picture, 'rgb' | 'alpha'> {
  const size = samples.length / channels;
  const rgb = new Uint8Array(size * 3);
  const alpha = hasAlpha ? new Uint8Array(size) : undefined;
  // A gray picture may have one or two channels.
  const step = channels >= 3 ? 1 : 0;
  for (let pixel = 0, from = 0, to = 0; pixel < size; pixel++, from += channels, to += 3) {
    rgb[to] = samples[from] ?? 0;
    rgb[to + 1] = samples[from + step] ?? 0;
    rgb[to + 2] = samples[from + 2 * step] ?? 0;
    if (alpha !== undefined) alpha[pixel] = samples[from + channels - 1] ?? 255;
  }
  return { rgb, alpha };
}

function unreadable(cause: unknown): RenderError {
  return new RenderError('The picture cannot be read. It may be damaged, or of a kind that is not taken.', {
    cause,
  });
}

import { valueError } from '@atelier/engine';
import { deflateRows, type EncodeWork } from './deflate-rows.ts';
import {
  headerChunk,
  isPngChannels,
  PNG_SIGNATURE,
  type PngText,
  pngChunk,
  textChunk,
} from './png-chunks.ts';

export interface PngOptions {
  /** How hard zlib tries, 0 to 9. */
  readonly level: number;
  readonly bits?: 8 | 16;
  readonly text?: readonly PngText[];
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** One float picture as a PNG file: values are clipped and cut off, and the text stands before the pixels. */
export async function encodePng(
  pixels: Float32Array,
  shape: Shape,
  { level, bits = 8, text = [] }: PngOptions,
  work: EncodeWork,
): Promise<Uint8Array<ArrayBuffer>> {
  checkChannels(shape);
  const rowValues = shape.width * shape.channels;
  const data = await deflateRows(
    {
      rowBytes: (rowValues * bits) / 8,
      pixelBytes: (shape.channels * bits) / 8,
      height: shape.height,
      source: bits === 8 ? pixels : (y, row) => shortsFromFloats(pixels, y * rowValues, row),
    },
    level,
    work,
  );
  return Buffer.concat([
    PNG_SIGNATURE,
    headerChunk({ ...shape, bits }),
    ...text.map(textChunk),
    pngChunk('IDAT', data),
    pngChunk('IEND'),
  ]);
}

export function checkChannels({ channels }: Shape): void {
  if (isPngChannels(channels)) return;
  throw valueError(`A picture with ${channels} channels cannot be saved as PNG; 1, 3 or 4 can.`);
}

/** 16-bit values, high byte first, clipped and cut off. */
function shortsFromFloats(source: Float32Array, offset: number, target: Uint8Array): void {
  const length = target.length >> 1;
  for (let index = 0; index < length; index++) {
    const scaled = Math.fround((source[offset + index] ?? 0) * 65535);
    const value = scaled > 0 ? (scaled < 65535 ? scaled | 0 : 65535) : 0;
    target[index * 2] = value >> 8;
    target[index * 2 + 1] = value;
  }
}

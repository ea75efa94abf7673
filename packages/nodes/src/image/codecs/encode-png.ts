import type { BytesShape } from '../resize/pillow-resize.ts';
import { deflateRows, type EncodeWork } from './deflate-rows.ts';
import { headerChunk, PNG_SIGNATURE, type PngText, pngChunk, textChunk } from './png-chunks.ts';

export interface PngOptions {
  /** The compression level of zlib, 0 to 9. */
  readonly level: number;
  readonly bits?: 8 | 16;
  readonly text?: readonly PngText[];
}

/** Encodes a float picture as PNG. Values are clipped and truncated, and the text comes before the pixels. */
export async function encodePng(
  pixels: Float32Array,
  shape: BytesShape,
  { level, bits = 8, text = [] }: PngOptions,
  work: EncodeWork,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = headerChunk(shape, bits);
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
    header,
    ...text.map(textChunk),
    pngChunk('IDAT', data),
    pngChunk('IEND'),
  ]);
}

/** 16-bit values, high byte first, clipped and truncated. */
function shortsFromFloats(source: Float32Array, offset: number, target: Uint8Array): void {
  const length = target.length >> 1;
  for (let index = 0; index < length; index++) {
    const scaled = Math.fround((source[offset + index] ?? 0) * 65535);
    const value = scaled > 0 ? (scaled < 65535 ? scaled | 0 : 65535) : 0;
    target[index * 2] = value >> 8;
    target[index * 2 + 1] = value;
  }
}

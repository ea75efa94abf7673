import { crc32 } from 'node:zlib';
import { valueError } from '@atelier/engine';
import type { BytesShape } from '../resize/pillow-resize.ts';

/** The keyword and text of a `tEXt` chunk. */
export type PngText = readonly [key: string, text: string];

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export function pngChunk(type: string, ...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const chunk = Buffer.allocUnsafeSlow(length + 12);
  chunk.writeUInt32BE(length, 0);
  chunk.write(type, 4, 'latin1');
  let at = 8;
  for (const part of parts) {
    chunk.set(part, at);
    at += part.length;
  }
  chunk.writeUInt32BE(crc32(chunk.subarray(4, at)), at);
  return chunk;
}

/** Gray, RGB or RGBA. */
const COLOR_TYPES: Readonly<Record<number, number>> = { 1: 0, 3: 2, 4: 6 };

/** Throws for a number of channels that PNG does not have. */
export function headerChunk({ width, height, channels }: BytesShape, bits: 8 | 16): Buffer<ArrayBuffer> {
  const color = COLOR_TYPES[channels];
  if (color === undefined)
    throw valueError(`A picture with ${channels} channels cannot be saved as PNG; 1, 3 or 4 can.`);
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = bits;
  data[9] = color;
  return pngChunk('IHDR', data);
}

export function textChunk([key, text]: PngText): Buffer<ArrayBuffer> {
  return pngChunk('tEXt', keyedText(key, text));
}

/** Keyword, NUL and text in Latin-1. Other characters, and a NUL in the text, become `?`. */
export function keyedText(key: string, text: string): Buffer {
  return Buffer.concat([latin1(key), Uint8Array.of(0), latin1(text)]);
}

function latin1(text: string): Buffer {
  // oxlint-disable-next-line no-control-regex
  return Buffer.from(text.replaceAll(/[\0\u0100-\u{10ffff}]/gu, '?'), 'latin1');
}

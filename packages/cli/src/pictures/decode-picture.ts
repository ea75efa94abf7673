import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** Four bytes per pixel: red, green, blue, alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const MAX_MEGAPIXELS = 16;
const MAX_MEMORY_MB = 256;
const JPEG_START = 0xff_d8;
const PNG_START = 0x89_50;
/** The offset of width and height in a PNG. */
const PNG_SIZE_AT = 16;

/** The pixels of a JPEG or PNG of reasonable size; `undefined` for anything else. */
export function decodePicture(bytes: Uint8Array): Picture | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const start = buffer.readUInt16BE(0);
    if (start === JPEG_START) {
      const { width, height, data } = jpeg.decode(buffer, {
        useTArray: true,
        maxResolutionInMP: MAX_MEGAPIXELS,
        maxMemoryUsageInMB: MAX_MEMORY_MB,
      });
      return { width, height, rgba: data };
    }
    if (start !== PNG_START) return undefined;
    const pixels = buffer.readUInt32BE(PNG_SIZE_AT) * buffer.readUInt32BE(PNG_SIZE_AT + 4);
    if (pixels > MAX_MEGAPIXELS * 1e6) return undefined;
    const { width, height, data } = PNG.sync.read(buffer);
    return { width, height, rgba: data };
  } catch {
    // A preview that cannot be decoded is simply not shown.
    return undefined;
  }
}

/** Nearest-neighbor scaling. */
export function resize({ width, height, rgba }: Picture, size: { width: number; height: number }): Picture {
  // A copy, because the pixels may start at an unaligned offset.
  const from = new Uint32Array(Uint8Array.from(rgba).buffer);
  const to = new Uint32Array(size.width * size.height);
  for (let y = 0; y < size.height; y += 1) {
    const row = Math.floor((y * height) / size.height) * width;
    for (let x = 0; x < size.width; x += 1)
      to[y * size.width + x] = from[row + Math.floor((x * width) / size.width)] ?? 0;
  }
  return { ...size, rgba: new Uint8Array(to.buffer) };
}

import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A PNG of one color. */
export async function aPicture(
  width: number,
  height: number,
  background: { r: number; g: number; b: number; alpha?: number } = { r: 200, g: 100, b: 50 },
): Promise<Buffer<ArrayBuffer>> {
  const channels = background.alpha === undefined ? 3 : 4;
  return ownBuffer(await sharp({ create: { width, height, channels, background } }).png().toBuffer());
}

/** RGBA pixels as a PNG, untouched. */
export async function aPng(
  pixels: readonly number[],
  width: number,
  height: number,
): Promise<Buffer<ArrayBuffer>> {
  const channels = pixels.length / (width * height);
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) throw new Error('odd pixels');
  const png = await sharp(Buffer.from(pixels), { raw: { width, height, channels } })
    .toColorspace(channels < 3 ? 'b-w' : 'srgb')
    .png()
    .toBuffer();
  return ownBuffer(png);
}

/** The same with 16 bits a value. */
export async function aDeepPng(
  pixels: readonly number[],
  width: number,
  height: number,
): Promise<Buffer<ArrayBuffer>> {
  const channels = pixels.length / (width * height) === 4 ? 4 : 3;
  const wide = Uint16Array.from(pixels, (value) => value * 257);
  const raw = sharp(wide, { raw: { width, height, channels } });
  return ownBuffer(await raw.toColorspace('rgb16').png().toBuffer());
}

function ownBuffer(bytes: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(bytes).buffer);
}

export async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, pixels: [...data] };
}

export function chunk(type: string, data: Uint8Array): Buffer<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

export function withChunks(png: Buffer, ...chunks: readonly Buffer[]): Buffer<ArrayBuffer> {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** A PNG whose header says a size that its pixels do not have. */
export function aLyingPng(width: number, height: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 2;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

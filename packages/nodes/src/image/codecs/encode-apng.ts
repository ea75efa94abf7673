import { type Fraction, fraction } from '../../values/arithmetic.ts';
import type { Image } from '../../values/image.ts';
import type { Area } from '../batch.ts';
import { batchBytes } from '../resize/bytes.ts';
import { deflateRows, type EncodeWork } from './deflate-rows.ts';
import { headerChunk, keyedText, PNG_SIGNATURE, type PngText, pngChunk } from './png-chunks.ts';

export interface ApngOptions {
  readonly level: number;
  readonly durationMs: number;
  /** Written to private chunks after the pixels, which ComfyUI reads from animations. */
  readonly text?: readonly PngText[];
}

interface AnimationFrame {
  readonly index: number;
  /** The part that differs from the frame before. */
  readonly box: Area;
  durationMs: number;
}

const MAX_SHORT = 65535;

/** Writes an animated PNG as Pillow does: equal pictures become one, and of the others only the changed part is stored. */
export async function encodeApng(
  image: Image,
  { level, durationMs, text = [] }: ApngOptions,
  work: EncodeWork,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [PNG_SIGNATURE, headerChunk(image, 8)];
  const bytes = batchBytes(image, work);
  const frames = planFrames(image, bytes, durationMs, work);
  const animated = frames.length > 1;
  if (animated) chunks.push(pngChunk('acTL', bigEndian(frames.length, 0)));
  let sequence = 0;
  for (const frame of frames) {
    const data = await deflateBox(image, bytes, frame, level, work);
    if (animated) chunks.push(controlChunk(sequence++, frame));
    if (frame.index === 0) chunks.push(pngChunk('IDAT', data));
    else chunks.push(pngChunk('fdAT', bigEndian(sequence++), data));
  }
  work.memory.free(bytes);
  chunks.push(...text.map(([key, value]) => pngChunk('comf', keyedText(key, value))), pngChunk('IEND'));
  return Buffer.concat(chunks);
}

function planFrames(
  image: Image,
  bytes: Uint8Array,
  durationMs: number,
  { checkpoint }: EncodeWork,
): AnimationFrame[] {
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const frames: AnimationFrame[] = [];
  for (let index = 0; index < image.batch; index++) {
    checkpoint();
    const previous = frames.at(-1);
    const box = previous ? changedBox(image, bytes, index) : whole;
    const together = (previous?.durationMs ?? 0) + durationMs;
    if (previous && !box && fraction(together, 1000).num <= MAX_SHORT) previous.durationMs = together;
    else frames.push({ index, box: box ?? whole, durationMs });
  }
  return frames;
}

/** The smallest rectangle with every pixel that differs from the picture before. */
function changedBox({ width, height, channels }: Image, bytes: Uint8Array, index: number): Area | undefined {
  const rowBytes = width * channels;
  const now = index * height * rowBytes;
  const before = now - height * rowBytes;
  let [left, right, top, bottom] = [rowBytes, -1, -1, -1];
  for (let y = 0; y < height; y++) {
    const row = y * rowBytes;
    let first = 0;
    while (first < rowBytes && bytes[now + row + first] === bytes[before + row + first]) first++;
    if (first === rowBytes) continue;
    let last = rowBytes - 1;
    while (bytes[now + row + last] === bytes[before + row + last]) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    if (top < 0) top = y;
    bottom = y;
  }
  if (bottom < 0) return undefined;
  const x = Math.floor(left / channels);
  return { x, y: top, width: Math.floor(right / channels) - x + 1, height: bottom - top + 1 };
}

async function deflateBox(
  { width, height, channels }: Image,
  bytes: Uint8Array,
  { index, box }: AnimationFrame,
  level: number,
  work: EncodeWork,
): Promise<Uint8Array> {
  const rowBytes = box.width * channels;
  const source = (y: number, row: Uint8Array): void => {
    const from = ((index * height + box.y + y) * width + box.x) * channels;
    row.set(bytes.subarray(from, from + rowBytes));
  };
  return await deflateRows({ rowBytes, pixelBytes: channels, height: box.height, source }, level, work);
}

function controlChunk(sequence: number, { box, durationMs }: AnimationFrame): Uint8Array {
  const { num, den } = storable(fraction(durationMs, 1000));
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(num, 0);
  delay.writeUInt16BE(den, 2);
  // The last two bytes: the frame stays, and replaces the earlier pixels.
  return pngChunk('fcTL', bigEndian(sequence, box.width, box.height, box.x, box.y), delay);
}

/** In hundredths or tenths of a second if the exact fraction does not fit. */
function storable({ num, den }: Fraction): Fraction {
  if (num <= MAX_SHORT) return { num, den };
  const step = num <= MAX_SHORT * 10 ? 100 : 10;
  return { num: Math.min(MAX_SHORT, Math.round((num / den) * step)), den: step };
}

function bigEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

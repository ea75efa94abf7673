import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from '../../../test/run-node.ts';

/** What `referee/image_io.py` wrote. */
export interface ImageIoFixture {
  readonly decode: readonly DecodeCase[];
  readonly text: readonly (GivenMetadata & { readonly between: string })[];
  readonly apng: readonly {
    readonly name: keyof typeof APNG_BATCHES;
    readonly fps: number;
    readonly chunks: readonly (readonly [type: string, data: string])[];
  }[];
  readonly exif: readonly (GivenMetadata & { readonly exif: string })[];
  readonly bytes: readonly { readonly channels: number; readonly bits: 8 | 16; readonly bytes: string }[];
  readonly painter: readonly {
    readonly width: number;
    readonly height: number;
    readonly file: string;
    readonly image: string;
    readonly mask: string;
  }[];
  readonly preview: readonly {
    readonly source: readonly [width: number, height: number];
    readonly size: readonly [width: number, height: number];
    readonly cells: string;
  }[];
}

export interface DecodeCase {
  readonly name: string;
  readonly file: string;
  readonly frames: number;
  readonly height: number;
  readonly width: number;
  readonly bits: 8 | 16;
  readonly rgba: string;
  readonly mask: 'alpha' | 'empty' | 'small';
  readonly loss: 'none' | 'jpeg' | 'avif';
}

interface GivenMetadata {
  readonly prompt: Record<string, never> | null;
  readonly extra: Readonly<Record<string, unknown>> | null;
}

/** Which of the pictures `first`, `moved` and `other` the batches of the APNG cases hold. */
export const APNG_BATCHES = {
  'three pictures': ['first', 'other', 'moved'],
  'a change in one place': ['first', 'moved'],
  'equal ones': ['first', 'first', 'moved', 'moved', 'moved'],
  'all equal': ['first', 'first'],
  'one picture': ['first'],
} as const;

export const fixture = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/image-io.json', import.meta.url), 'utf8'),
) as ImageIoFixture;

export function bytesOf(base64: string): Buffer<ArrayBuffer> {
  return Buffer.from(base64, 'base64');
}

export function floatsOf(base64: string): Float32Array {
  const bytes = bytesOf(base64);
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** Puts a file into the input folder. */
export function putInput({ folder }: TestContext, name: string, bytes: Uint8Array): void {
  mkdirSync(join(folder, 'input'), { recursive: true });
  writeFileSync(join(folder, 'input', name), bytes);
}

export interface PngParts {
  readonly type: string;
  /** With its length and checksum. */
  readonly whole: Buffer;
  readonly data: Buffer;
}

export function pngParts(file: Uint8Array): readonly PngParts[] {
  const bytes = Buffer.from(file);
  const parts: PngParts[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const whole = bytes.subarray(at, end);
    parts.push({ type: whole.toString('latin1', 4, 8), whole, data: whole.subarray(8, -4) });
    at = end;
  }
  return parts;
}

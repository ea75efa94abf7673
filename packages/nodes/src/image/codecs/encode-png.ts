import { promisify } from 'node:util';
import { constants, deflate, deflateSync } from 'node:zlib';
import { type NodeContext, NodeError } from '@atelier/engine';
import { bytesFromFloats } from '../resize/bytes.ts';
import {
  headerChunk,
  isPngChannels,
  PNG_SIGNATURE,
  type PngText,
  pngChunk,
  textChunk,
} from './png-chunks.ts';
import { filterScanlines, type ScanlineOptions } from './png-filters.ts';

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

/** What encoding needs of a node's context. */
export type EncodeWork = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** Less than this is compressed sooner than a thread is asked to. */
const SMALL = 1 << 16;
/** The result comes in pieces of this size, each with a turn of the event loop. */
const MAX_CHUNK = 1 << 24;

const deflateInThread = promisify(deflate);

/** One float picture as a PNG file: values are clipped and cut off, and the text stands before the pixels. */
export async function encodePng(
  pixels: Float32Array,
  shape: Shape,
  { level, bits = 8, text = [] }: PngOptions,
  work: EncodeWork,
): Promise<Uint8Array<ArrayBuffer>> {
  checkChannels(shape);
  const rowValues = shape.width * shape.channels;
  const read = bits === 8 ? bytesFromFloats : shortsFromFloats;
  const data = await deflateRows(
    {
      rowBytes: (rowValues * bits) / 8,
      pixelBytes: (shape.channels * bits) / 8,
      height: shape.height,
      readRow: (y, row) => read(pixels, y * rowValues, row),
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
  throw new NodeError(
    'ValueError',
    `A picture with ${channels} channels cannot be saved as PNG; 1, 3 or 4 can.`,
  );
}

/** The rows, filtered and compressed, as the data of an image chunk. */
export async function deflateRows(
  rows: Omit<ScanlineOptions, 'checkpoint'>,
  level: number,
  { memory, checkpoint }: EncodeWork,
): Promise<Uint8Array> {
  const size = rows.height * (rows.rowBytes + 1);
  const { bytes, plain } = filterScanlines(memory.dirtyBytes(size), { ...rows, checkpoint });
  const options = {
    level,
    // In photographs only runs are worth looking for: a third of the time, and smaller. A drawing repeats itself.
    strategy: plain ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE,
    chunkSize: Math.min(MAX_CHUNK, Math.max(1024, size >> (plain ? 4 : 0))),
  };
  const data = size < SMALL ? deflateSync(bytes, options) : await deflateInThread(bytes, options);
  checkpoint();
  memory.free(bytes);
  return data;
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

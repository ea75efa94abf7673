import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';

import type { InspectionLimits } from '../limits.ts';
import { shown, UnusableArchive } from './unusable-archive.ts';

/** Below this, one call is three times as fast as a stream. */
const MAX_SYNC_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface Packed {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isDeflated: boolean;
  readonly inflatedBytes: number;
  readonly crc32: number;
}

/** Counts the bytes of all entries that really come out, whatever a header promises. */
export function createInflater(archiveBytes: number, limits: InspectionLimits) {
  let total = 0;

  function count(packed: Packed, ofEntry: number, more: number): void {
    total += more;
    if (total > limits.inflatedBytes) {
      throw new UnusableArchive(`The archive unpacks to more than ${limits.inflatedBytes} bytes.`);
    }
    if (ofEntry > limits.ratioFreeBytes && ofEntry > limits.ratio * packed.bytes.length) {
      throw new UnusableArchive(
        `The entry ${shown(packed.name)} unpacks to over ${limits.ratio} times its size.`,
      );
    }
    if (total > limits.ratioFreeBytes && total > limits.ratio * archiveBytes) {
      throw new UnusableArchive(`The archive unpacks to over ${limits.ratio} times its size.`);
    }
  }

  return {
    /** Yields pieces that are valid until the next one. */
    async *inflate(packed: Packed): AsyncIterable<Buffer> {
      let size = 0;
      let checksum = 0;
      for await (const piece of pieces(packed)) {
        size += piece.length;
        if (size > packed.inflatedBytes) throw damaged(packed, 'is longer than its header says');
        count(packed, size, piece.length);
        checksum = crc32(piece, checksum);
        yield piece;
      }
      if (size !== packed.inflatedBytes) throw damaged(packed, 'is shorter than its header says');
      if (checksum !== packed.crc32) throw damaged(packed, 'does not match its checksum');
    },
  };
}

async function* pieces(packed: Packed): AsyncGenerator<Buffer> {
  const { bytes, isDeflated, inflatedBytes } = packed;
  if (!isDeflated) {
    if (bytes.length > 0) yield bytes;
    return;
  }
  try {
    let consumed: number;
    if (inflatedBytes <= MAX_SYNC_BYTES) {
      const { buffer, consumedBytes } = inflateAtOnce(bytes, inflatedBytes + 1);
      yield buffer;
      consumed = consumedBytes;
    } else {
      const stream = createInflateRaw({ chunkSize: CHUNK_BYTES });
      stream.end(bytes);
      yield* stream;
      consumed = stream.bytesWritten;
    }
    if (consumed !== bytes.length) throw damaged(packed, 'has bytes behind its end');
  } catch (error) {
    if (error instanceof UnusableArchive) throw error;
    throw damaged(packed, 'cannot be decompressed');
  }
}

function inflateAtOnce(bytes: Buffer, maxOutputLength: number): { buffer: Buffer; consumedBytes: number } {
  // With `info` the answer has two parts, which Node's types do not know.
  const answer: unknown = inflateRawSync(bytes, { info: true, maxOutputLength });
  const { buffer, engine } = answer as { buffer: Buffer; engine: { bytesWritten: number } };
  return { buffer, consumedBytes: engine.bytesWritten };
}

function damaged({ name }: Packed, what: string): UnusableArchive {
  return new UnusableArchive(`The archive is damaged: the entry ${shown(name)} ${what}.`);
}

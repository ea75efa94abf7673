import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import type { NodeContext } from '@atelier/engine';
import { type FilteredPiece, filterRows, type ScanlineOptions } from './png-filters.ts';

/** What encoding needs of a node's context. */
export type EncodeWork = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** Less than this is compressed sooner than a thread is asked to. */
const SMALL = 1 << 16;
/** Pieces of this size are compressed side by side, while further rows are filtered. */
const PIECE = 1 << 19;
/** RFC 1950: deflate with a window of 32 KiB. */
const HEADER = Uint8Array.of(0x78, 0x5e);

const deflateInThread = promisify(deflateRaw);

/** The rows, filtered and compressed, as the data of an image chunk. */
export async function deflateRows(
  rows: Omit<ScanlineOptions, 'checkpoint'>,
  level: number,
  { memory, checkpoint }: EncodeWork,
): Promise<Uint8Array> {
  const lineBytes = rows.rowBytes + 1;
  const bytes = memory.dirtyBytes(rows.height * lineBytes);
  const pieceRows = Math.max(1, Math.floor(PIECE / lineBytes));
  const pieces: Promise<Uint8Array>[] = [];
  const sum = filterRows(bytes, { ...rows, checkpoint }, pieceRows, (piece) => {
    const isLast = piece.bytes.byteOffset + piece.bytes.length === bytes.byteOffset + bytes.length;
    const options = optionsFor(piece, level, isLast);
    pieces.push(
      bytes.length < SMALL
        ? Promise.resolve(deflateRawSync(piece.bytes, options))
        : deflateInThread(piece.bytes, options),
    );
  });
  const data = await Promise.all(pieces);
  checkpoint();
  memory.free(bytes);
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32BE(sum);
  return Buffer.concat([HEADER, ...data, trailer]);
}

function optionsFor({ bytes, plain }: FilteredPiece, level: number, isLast: boolean) {
  return {
    level,
    // In photographs only runs are worth looking for: a third of the time, and smaller. A drawing repeats itself.
    strategy: plain ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE,
    // Ends at a whole byte, so that the next piece can follow.
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    chunkSize: Math.max(1024, bytes.length >> (plain ? 4 : 0)),
  };
}

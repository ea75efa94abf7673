import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync } from 'node:zlib';
import type { NodeContext } from '@atelier/engine';
import { type FilteredPiece, filterRows, type ScanlineOptions } from './png-filters.ts';

/** What encoding needs of a node's context. */
export type EncodeWork = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** Below this, compressing is faster than asking a thread. */
const SMALL = 1 << 16;
/** Pieces of this size are compressed in parallel, while more rows are filtered. */
const PIECE = 1 << 19;
/** RFC 1950: deflate with a window of 32 KiB. */
const HEADER = Uint8Array.of(0x78, 0x5e);

const deflateInThread = promisify(deflateRaw);

/** Filters and compresses the rows for an image chunk. */
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
    // Photographs only have runs worth finding, which takes a third of the time and gives smaller files. Drawings repeat.
    strategy: plain ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE,
    // The piece ends at a whole byte, so that the next one can follow.
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    chunkSize: Math.max(1024, bytes.length >> (plain ? 4 : 0)),
  };
}

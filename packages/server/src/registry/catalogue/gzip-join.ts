import { constants, crc32, deflateRawSync } from 'node:zlib';

import { crcAfter, shiftOf } from './crc-join.ts';

/**
 * Pieces of a gzip stream, each compressed apart from the others and ending with a byte (RFC 1951, RFC 1952): any row of
 * them is one, between a header and a checksum. A piece's last block is stored as it is and holds its comma.
 */
export interface Deflated {
  readonly bytes: Buffer;
  /** Where each piece begins, and where the last one ends. */
  readonly starts: Uint32Array;
  /** The same in the plain text. */
  readonly plainStarts: Uint32Array;
  /** Checksums of the plain text from the beginning to each piece. */
  readonly crcs: Uint32Array;
}

/** Pieces from one to before another. */
export interface DeflatedCut {
  readonly pieces: Deflated;
  readonly from: number;
  readonly to: number;
}

/** Deflate, no name, no time, an unknown system; then the beginning of a stored block that is not the last one. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 0]);
/** A block without content that is the last one. */
const LAST = Buffer.from([3, 0]);
/** What follows the beginning of a stored block. */
const EMPTY = stored('');
const COMMA = stored(',');
/** Checksum and length. */
const TRAILER_BYTES = 8;

/** Compresses each piece of a text; every one ends with a comma. */
export function deflatePieces(plain: Buffer, plainStarts: Uint32Array): Deflated {
  const count = plainStarts.length - 1;
  const parts: Buffer[] = [];
  const starts = new Uint32Array(count + 1);
  const crcs = new Uint32Array(count + 1);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const piece = plain.subarray(plainStarts[index], plainStarts[index + 1]);
    const flush = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 };
    const deflated = deflateRawSync(piece.subarray(0, -1), flush);
    const end = deflated.byteLength - EMPTY.byteLength;
    if (!deflated.subarray(end).equals(EMPTY))
      throw new Error('a flushed stream has no empty block at its end');
    parts.push(deflated.subarray(0, end), COMMA);
    at += end + COMMA.byteLength;
    starts[index + 1] = at;
    crcs[index + 1] = crc32(piece, crcs[index]);
  }
  return { bytes: Buffer.concat(parts), starts, plainStarts, crcs };
}

/**
 * One gzip stream of `before`, the pieces with commas between them, and `after`. There is at least one piece; of the last
 * one also the plain text is needed, without its comma. `before` and `after` are short and have ASCII characters only.
 */
export function joinGzip(
  before: string,
  cuts: readonly DeflatedCut[],
  lastPiece: Buffer,
  after: string,
): Buffer {
  const out = Buffer.allocUnsafe(sizeOf(before, cuts, after));
  let at = HEADER.copy(out);
  at = putStored(out, at, before);
  let crc = crc32(before);
  let length = before.length;
  for (let index = 0; index < cuts.length; index += 1) {
    const cut = cuts[index];
    if (!cut) continue;
    const { from, to } = cut;
    const { bytes, starts, plainStarts, crcs } = cut.pieces;
    at += bytes.copy(out, at, starts[from], starts[to]);
    // The last piece has no comma, so it is not counted with the others.
    const end = index === cuts.length - 1 ? to - 1 : to;
    const plainBytes = (plainStarts[end] ?? 0) - (plainStarts[from] ?? 0);
    crc = crcAfter(crc, crcs[from] ?? 0, crcs[end] ?? 0, shiftOf(plainBytes));
    length += plainBytes;
  }
  at = putStored(out, at - COMMA.byteLength, after);
  at += LAST.copy(out, at);
  at = out.writeUInt32LE(crc32(after, crc32(lastPiece, crc)), at);
  out.writeUInt32LE(length + lastPiece.byteLength + after.length, at);
  return out;
}

function sizeOf(before: string, cuts: readonly DeflatedCut[], after: string): number {
  let size = HEADER.byteLength + before.length + after.length + 2 * EMPTY.byteLength;
  for (const { pieces, from, to } of cuts) size += (pieces.starts[to] ?? 0) - (pieces.starts[from] ?? 0);
  return size - COMMA.byteLength + LAST.byteLength + TRAILER_BYTES;
}

/** Its length, the length with all bits turned, and the text. Gives the place after it. */
function putStored(out: Buffer, at: number, text: string): number {
  out.writeUInt16LE(text.length, at);
  out.writeUInt16LE(0xff_ff - text.length, at + 2);
  return at + 4 + out.write(text, at + 4, 'latin1');
}

function stored(text: string): Buffer {
  const bytes = Buffer.alloc(text.length + 4);
  putStored(bytes, 0, text);
  return bytes;
}

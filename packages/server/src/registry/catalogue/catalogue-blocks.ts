import { hash } from 'node:crypto';

import { type Deflated, deflatePieces } from './gzip-join.ts';

/** So many packs that follow each other in a listing are rendered together; a page is cut out of one or a few blocks. */
export const BLOCK_SIZE = 32;

const COMMA = 1;
/** Characters. */
const DIGEST = 27;
/** A block with what its packs take compressed. */
const WITH_DEFLATED = 1.6;

export interface Block {
  readonly count: number;
  /** The packs as JSON, each with a comma after it. */
  readonly json: Buffer;
  /** Where each of them begins, and where the last one ends. */
  readonly starts: Uint32Array;
  /** A hash of each. */
  readonly digests: string;
  readonly bytes: number;
  /**
   * Each pack compressed apart from the others, so that it can stand in any page. That is work, so it is done for
   * who asks a second time, and `undefined` for the first.
   */
  deflated(): Deflated | undefined;
}

/** Packs of a block, from one to before another. */
export interface Cut {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

/** `previous` is what stood in its place, a minute or a change ago. */
export function toBlock(nodes: readonly string[], previous?: Block): Block {
  const pieces = nodes.map((node) => Buffer.from(`${node},`));
  const json = Buffer.concat(pieces);
  if (previous?.json.equals(json)) return previous;
  const starts = new Uint32Array(pieces.length + 1);
  for (const [index, piece] of pieces.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + piece.byteLength;
  }
  let isWanted = false;
  let deflated: Deflated | undefined;
  return {
    count: pieces.length,
    json,
    starts,
    digests: pieces.map(digestOf).join(''),
    bytes: Math.ceil(json.byteLength * WITH_DEFLATED),
    deflated() {
      if (isWanted) deflated ??= deflatePieces(json, starts);
      isWanted = true;
      return deflated;
    },
  };
}

/** Of a pack as JSON with a comma after it. */
export function digestOf(piece: Buffer | string): string {
  return hash('sha256', piece, 'base64url').slice(0, DIGEST);
}

/** The packs of a cut as they stand in a page; the last one of a page has no comma. */
export function plainOf({ block, from, to }: Cut, { isLast }: { isLast: boolean }): Buffer {
  const { json, starts } = block;
  return json.subarray(starts[from], (starts[to] ?? 0) - (isLast ? COMMA : 0));
}

/** Of its packs with all commas. */
export function lengthOf({ block: { starts }, from, to }: Cut): number {
  return (starts[to] ?? 0) - (starts[from] ?? 0);
}

export function digestsOf({ block, from, to }: Cut): string {
  return block.digests.slice(from * DIGEST, to * DIGEST);
}

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { type Cut, digestOf, digestsOf, lengthOf, plainOf } from './catalogue-blocks.ts';
import type { Keepable } from './catalogue-kept.ts';
import { joinGzip } from './gzip-join.ts';

const compress = promisify(gzip);

/** An answer as it goes over the wire. */
export interface Rendered extends Keepable {
  /** Without quotes. The same content has the same one, in whichever way it was rendered. */
  readonly tag: string;
  readonly byteLength: number;
  plain(): Buffer;
  gzipped(): Buffer | Promise<Buffer>;
}

/** Both forms together, roughly: JSON is compressed to less than half. */
const bytesOf = (byteLength: number): number => Math.ceil(byteLength * 1.5);

/** Compressed when the first caller that takes it asks. */
export function renderBytes(body: Buffer, madeAt: number, tag = tagOf(body)): Rendered {
  let gzipped: Promise<Buffer> | undefined;
  return {
    tag,
    byteLength: body.byteLength,
    bytes: bytesOf(body.byteLength),
    madeAt,
    plain: () => body,
    gzipped: async () => {
      gzipped ??= compress(body);
      return await gzipped;
    },
  };
}

export function renderJson(value: unknown, madeAt: number): Rendered {
  return renderBytes(Buffer.from(JSON.stringify(value)), madeAt);
}

interface PageHead {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly madeAt: number;
}

/** A page of packs that were read for it alone. */
export function renderNodes({ nodes, madeAt, ...head }: PageHead & { readonly nodes: readonly object[] }) {
  const { before, after } = aroundNodes(head);
  const pieces = nodes.map((node) => JSON.stringify(node));
  const tag = tagOf(before + after + pieces.map((piece) => digestOf(`${piece},`)).join(''));
  return renderBytes(Buffer.from(`${before}${pieces.join(',')}${after}`), madeAt, tag);
}

interface PageParts extends PageHead {
  /** In order, none of them empty. */
  readonly cuts: readonly Cut[];
}

/**
 * A page cut out of packs that are rendered, and mostly compressed, already. Most pages are asked for once and leave
 * nothing behind. Asked for again, it is compressed as a whole, which takes fewer bytes, and kept.
 */
export function renderPage({ total, page, limit, madeAt, cuts }: PageParts): Rendered {
  const { before, after } = aroundNodes({ total, page, limit });
  let byteLength = before.length + after.length - (cuts.length > 0 ? 1 : 0);
  let digests = before + after;
  for (const cut of cuts) {
    byteLength += lengthOf(cut);
    digests += digestsOf(cut);
  }
  const joined = (): Buffer => {
    const parts = cuts.map((cut, index) => plainOf(cut, { isLast: index === cuts.length - 1 }));
    return Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)], byteLength);
  };

  const quick = (): Buffer | undefined => {
    const pieces = cuts.flatMap(({ block, from, to }) => {
      const deflated = block.deflated();
      return deflated ? [{ pieces: deflated, from, to }] : [];
    });
    const last = cuts.at(-1);
    if (!last || pieces.length < cuts.length) return undefined;
    const lastPiece = plainOf({ ...last, from: last.to - 1 }, { isLast: true });
    return joinGzip(before, pieces, lastPiece, after);
  };

  let plain: { readonly kept?: Buffer } | undefined;
  let small: { readonly kept?: Buffer | Promise<Buffer> } | undefined;
  return {
    tag: tagOf(digests),
    byteLength,
    bytes: bytesOf(byteLength),
    madeAt,
    plain: () => {
      if (plain?.kept) return plain.kept;
      const made = joined();
      plain = plain ? { kept: made } : {};
      return made;
    },
    gzipped: () => {
      if (small?.kept) return small.kept;
      const made = quick();
      if (!made) {
        const whole = compress(joined());
        small = { kept: whole };
        return whole;
      }
      if (!small) {
        small = {};
        return made;
      }
      small = { kept: made };
      gzip(joined(), (error, whole) => {
        if (!error) small = { kept: whole };
      });
      return made;
    },
  };
}

function aroundNodes({ total, page, limit }: Omit<PageHead, 'madeAt'>) {
  return {
    before: `{"total":${total},"nodes":[`,
    after: `],"page":${page},"limit":${limit},"totalPages":${Math.ceil(total / limit)}}`,
  };
}

function tagOf(content: Buffer | string): string {
  return hash('sha256', content, 'base64url').slice(0, 27);
}

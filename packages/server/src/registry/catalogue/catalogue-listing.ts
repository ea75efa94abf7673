import { BLOCK_SIZE, type Block, type Cut, toBlock } from './catalogue-blocks.ts';
import type { Keepable, Kept } from './catalogue-kept.ts';
import { type Rendered, renderPage } from './catalogue-rendered.ts';

/** The packs of a list in its order, at one revision, and what was made of them. All of it is forgotten together. */
export interface Listing extends Keepable {
  readonly total: number;
  /** A page from 1, of so many packs. */
  page(page: number, limit: number): Promise<Rendered>;
  /** Takes the place of a page until the listing is forgotten. */
  putPage(page: number, limit: number, rendered: Rendered): void;
  /** What it has rendered so far. */
  blocks(): readonly (Block | undefined)[];
}

interface Options {
  readonly key: string;
  readonly kept: Kept<Listing>;
  /** The keys of its packs in order. */
  readonly seqs: Uint32Array;
  readonly madeAt: number;
  /** What the same listing had rendered a minute or a change ago: most of it is still so. */
  readonly before: readonly (Block | undefined)[];
  /** The packs with these keys as JSON, in this order, as they are at the listing's revision; fails otherwise. */
  readonly load: (seqs: readonly number[]) => Promise<readonly string[]>;
}

/** Of so many pages that were asked for lately one that is asked for again is kept. */
const LATELY = 500;
/** Of the bound, for pages that are kept; the rest is for blocks. */
const SHARE_OF_PAGES = 0.25;
const MOST_A_PAGE = 1024;

export function createListing({ key, kept, seqs, madeAt, before, load }: Options): Listing {
  const blocks: (Block | undefined)[] = [];
  const old = [...before];
  const loading = new Map<number, Promise<Block>>();
  const making = new Map<number, Promise<Rendered>>();
  const pages = new Map<number, Rendered>();
  let pageBytes = 0;
  let [lately, earlier] = [new Set<number>(), new Set<number>()];
  let bytes = seqs.byteLength + old.reduce((sum, block) => sum + (block?.bytes ?? 0), 0);

  const grow = (by: number): void => {
    bytes += by;
    if (bytes > kept.maxBytes) {
      blocks.length = 0;
      old.length = 0;
      pages.clear();
      pageBytes = 0;
      bytes = seqs.byteLength;
    }
    kept.changedSize(key, listing);
  };

  const loadBlock = async (index: number): Promise<Block> => {
    const wanted = [...seqs.subarray(index * BLOCK_SIZE, (index + 1) * BLOCK_SIZE)];
    const nodes = await load(wanted);
    if (nodes.length !== wanted.length) throw new Error('a listing names packs that are not there');
    const block = toBlock(nodes, old[index]);
    const gone = old[index]?.bytes ?? 0;
    old[index] = undefined;
    blocks[index] = block;
    grow(block.bytes - gone);
    return block;
  };

  /** Callers that need the same at once wait for one reading. */
  const blockOf = async (index: number): Promise<Block> => {
    const known = loading.get(index) ?? loadBlock(index);
    loading.set(index, known);
    try {
      return await known;
    } finally {
      loading.delete(index);
    }
  };

  const make = async (page: number, limit: number): Promise<Rendered> => {
    const end = Math.min(page * limit, seqs.length);
    const cuts: Cut[] = [];
    for (let at = (page - 1) * limit; at < end; ) {
      const index = Math.floor(at / BLOCK_SIZE);
      const block = blocks[index] ?? (await blockOf(index));
      const from = at % BLOCK_SIZE;
      const to = Math.min(block.count, from + end - at);
      cuts.push({ block, from, to });
      at += to - from;
    }
    return renderPage({ total: seqs.length, page, limit, madeAt, cuts });
  };

  const dropPage = (name: number): number => {
    const size = pages.get(name)?.bytes ?? 0;
    pages.delete(name);
    pageBytes -= size;
    return size;
  };

  const putPage = (page: number, limit: number, rendered: Rendered): void => {
    const name = nameOf(page, limit);
    let more = rendered.bytes - dropPage(name);
    pages.set(name, rendered);
    pageBytes += rendered.bytes;
    for (const oldest of pages.keys()) {
      if (pageBytes <= kept.maxBytes * SHARE_OF_PAGES) break;
      more -= dropPage(oldest);
    }
    grow(more);
  };

  /** Whether it was asked for lately; notes that it was. */
  const isAskedAgain = (name: number): boolean => {
    if (lately.has(name) || earlier.has(name)) return true;
    if (lately.size >= LATELY) [lately, earlier] = [new Set(), lately];
    lately.add(name);
    return false;
  };

  const listing: Listing = {
    madeAt,
    get bytes() {
      return bytes;
    },
    total: seqs.length,
    putPage,
    blocks: () => blocks,
    async page(page, limit) {
      const name = nameOf(page, limit);
      const known = pages.get(name) ?? making.get(name);
      if (known) return await known;
      const made = make(page, limit);
      making.set(name, made);
      try {
        const rendered = await made;
        if (isAskedAgain(name)) putPage(page, limit, rendered);
        return rendered;
      } finally {
        making.delete(name);
      }
    },
  };
  return listing;
}

function nameOf(page: number, limit: number): number {
  return page * MOST_A_PAGE + limit;
}

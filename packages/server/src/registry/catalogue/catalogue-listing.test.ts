import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { createKept } from './catalogue-kept.ts';
import { createListing, type Listing } from './catalogue-listing.ts';
import { renderNodes } from './catalogue-rendered.ts';

const TOTAL = 100;
const ALL = Uint32Array.from({ length: TOTAL }, (_, index) => index + 1);
const node = (seq: number, word = 'node') => ({ id: `pack-${seq}`, description: `${word} ü `.repeat(20) });

interface Setting {
  readonly maxBytes?: number;
  readonly word?: () => string;
}

/** A listing that is kept, and how many packs it has read. */
async function aListing({ maxBytes = 10_000_000, word = () => 'node' }: Setting = {}) {
  let [revision, read] = [0, 0];
  const kept = createKept<Listing>({ clock: () => 0, maxBytes });
  const load = async (seqs: readonly number[]) => {
    read += seqs.length;
    return seqs.map((seq) => JSON.stringify(node(seq, word())));
  };
  const next = async (): Promise<Listing> => {
    revision += 1;
    return await kept.get(revision, 'all', async (previous) =>
      createListing({ key: 'all', kept, seqs: ALL, madeAt: 0, before: previous?.blocks() ?? [], load }),
    );
  };
  return { listing: await next(), next, read: () => read };
}

function wanted(page: number, limit: number, word?: string) {
  const nodes = [...ALL].slice((page - 1) * limit, page * limit).map((seq) => node(seq, word));
  return { total: TOTAL, nodes, page, limit, totalPages: Math.ceil(TOTAL / limit) };
}

describe('a listing', () => {
  it('has every page of every size, plain and compressed, however often it is asked for', async () => {
    const { listing } = await aListing();
    for (let times = 0; times < 4; times += 1) {
      for (const limit of [1, 7, 30, 32, 33, 64, 99, 100, 1000]) {
        for (let page = 1; page <= Math.ceil(TOTAL / limit) + 1; page += 1) {
          const rendered = await listing.page(page, limit);
          const text = JSON.stringify(wanted(page, limit));
          assert.equal(rendered.plain().toString(), text);
          assert.equal(gunzipSync(await rendered.gzipped()).toString(), text);
          assert.equal(rendered.byteLength, Buffer.byteLength(text));
        }
      }
    }
  });

  it('reads every pack once, also for callers that ask at the same time', async () => {
    const { listing, read } = await aListing();
    await Promise.all([1, 2, 3, 4, 1, 2, 3, 4].map(async (page) => await listing.page(page, 30)));
    await listing.page(1, 1000);
    assert.equal(read(), TOTAL);
    const pages = await Promise.all([1, 2].map(async () => await listing.page(2, 20)));
    assert.equal(pages[0], pages[1]);
  });

  it('gives the same page the same tag, and another one when anything in it changes', async () => {
    let word = 'node';
    const { listing, next } = await aListing({ word: () => word });
    const { tag } = await listing.page(2, 30);
    assert.equal((await (await next()).page(2, 30)).tag, tag);
    assert.notEqual((await listing.page(3, 30)).tag, tag);
    word = 'other';
    const changed = await (await next()).page(2, 30);
    assert.notEqual(changed.tag, tag);
    assert.equal(changed.plain().toString(), JSON.stringify(wanted(2, 30, 'other')));
    assert.deepEqual(JSON.parse(gunzipSync(await changed.gzipped()).toString()), wanted(2, 30, 'other'));
  });

  it('gives a page the tag that it has when its packs are read for it alone', async () => {
    const { listing } = await aListing();
    for (const [page, limit] of [
      [1, 30],
      [2, 40],
      [4, 33],
      [9, 50],
    ] as const) {
      const { nodes, ...head } = wanted(page, limit);
      const alone = renderNodes({ ...head, madeAt: 0, nodes });
      const cut = await listing.page(page, limit);
      assert.equal(alone.plain().toString(), cut.plain().toString());
      assert.equal(alone.tag, cut.tag);
    }
  });

  it('answers right when it takes more memory than it may, and then forgets what it made', async () => {
    const { listing } = await aListing({ maxBytes: 30_000 });
    for (let times = 0; times < 3; times += 1) {
      for (let page = 1; page <= 10; page += 1) {
        const rendered = await listing.page(page, 10);
        assert.equal(rendered.plain().toString(), JSON.stringify(wanted(page, 10)));
        assert.ok(listing.bytes <= 30_000);
      }
    }
  });

  it('shows a page that was put there', async () => {
    const { listing } = await aListing();
    const put = await listing.page(1, 5);
    listing.putPage(2, 30, put);
    assert.equal(await listing.page(2, 30), put);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { createCatalogueCache, toAnswer } from './catalogue-cache.ts';

/** A cache of a catalogue that other servers change by setting `revision`. */
function aCache({ maxBytes = 1_000_000, revisionMaxAgeMs = 1000 } = {}) {
  const world = { now: 0, revision: 1, made: 0 };
  const cache = createCatalogueCache({
    clock: () => world.now,
    readRevision: async () => world.revision,
    revisionMaxAgeMs,
    maxBytes,
  });
  const read = async (key: string, text = key) =>
    (
      await cache.get(key, async () => {
        world.made += 1;
        return toAnswer(JSON.stringify(text));
      })
    ).body.toString();
  return { world, cache, read };
}

describe('the cache of the catalogue', () => {
  it('makes an answer once, also for concurrent requests', async () => {
    const { world, read } = aCache();
    assert.deepEqual(await Promise.all([read('a'), read('a'), read('a')]), ['"a"', '"a"', '"a"']);
    await read('a');
    assert.equal(world.made, 1);
  });

  it('sees a change of this server at once, and one of another server when the revision is read again', async () => {
    const { world, cache, read } = aCache();
    await read('a', 'old');
    world.revision = 2;
    assert.equal(await read('a', 'new'), '"old"');
    world.now += 1000;
    assert.equal(await read('a', 'new'), '"new"');
    world.revision = 3;
    cache.changed();
    assert.equal(await read('a', 'newest'), '"newest"');
  });

  it('does not trust a revision that was read while this server changed the catalogue', async () => {
    const { world, cache, read } = aCache({ revisionMaxAgeMs: Number.POSITIVE_INFINITY });
    const reading = read('a', 'old');
    world.revision = 2;
    cache.changed();
    await reading;
    assert.equal(await read('a', 'new'), '"new"');
  });

  it('drops an answer after a minute, or when asked to', async () => {
    const { world, cache, read } = aCache();
    await read('a', 'old');
    world.now += 60_000;
    assert.equal(await read('a', 'new'), '"new"');
    cache.drop('a');
    assert.equal(await read('a', 'newest'), '"newest"');
  });

  it('is bounded, and drops the least recently used first', async () => {
    const { world, read } = aCache({ maxBytes: 10_000 });
    for (const key of ['a', 'b', 'c']) await read(key, 'x'.repeat(1000));
    await read('a');
    await read('d', 'x'.repeat(1000));
    assert.equal(world.made, 4);
    await read('a');
    assert.equal(world.made, 4);
    await read('b');
    assert.equal(world.made, 5);
    await read('large', 'x'.repeat(20_000));
    await read('large', 'x'.repeat(20_000));
    assert.equal(world.made, 7);
  });

  it('does not keep failures', async () => {
    const { cache, read } = aCache();
    await assert.rejects(async () => await cache.get('a', async () => assert.fail('broken')), /broken/);
    assert.equal(await read('a'), '"a"');
  });

  it('has the same tag for the same content, and compresses it', async () => {
    const [one, other] = [toAnswer('{"a":1}'), toAnswer('{"a":1}')];
    assert.equal(one.tag, other.tag);
    assert.notEqual(one.tag, toAnswer('{"a":2}').tag);
    assert.equal(gunzipSync(await one.gzipped()).toString(), '{"a":1}');
  });
});

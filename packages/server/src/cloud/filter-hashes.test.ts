import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { filterHashes, pairHash, tagHash } from './filter-hashes.ts';
import { pairText } from './submit/job-metadata.ts';

describe('the hashes by which lists filter', () => {
  it('are one for each tag and each pair, and none without them', () => {
    assert.equal(filterHashes([], ''), null);
    assert.deepEqual(filterHashes(['a'], ''), tagHash('a'));
    const pairs = [pairHash(pairText('k', 'é "1"')), pairHash(pairText('__proto__', ''))];
    assert.deepEqual(
      filterHashes(['a', 'b'], '{"k":"é \\"1\\"","__proto__":""}'),
      Buffer.concat([tagHash('a'), tagHash('b'), ...pairs]),
    );
  });

  it('fit into an entry of an index, however long the texts are', () => {
    const long = 'x'.repeat(256);
    const tags = Array.from({ length: 20 }, (_each, n) => `${n} ${long}`);
    assert.equal(filterHashes(tags, '')?.length, 160);
  });

  it('stay as jobs in databases have them', () => {
    assert.equal(tagHash('night').toString('hex'), '9a2571dd2c51ff3c');
    assert.equal(pairHash('"shot":"a1"').toString('hex'), '5eb58b26fcc377fd');
  });
});

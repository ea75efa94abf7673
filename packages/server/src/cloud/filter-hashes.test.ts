import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { filterHashes, pairHash, tagHash } from './filter-hashes.ts';
import { pairText } from './submit/job-metadata.ts';

describe('the hashes by which lists filter', () => {
  it('are one for each tag and each pair, and none without them', () => {
    assert.equal(filterHashes([], ''), '');
    assert.equal(filterHashes(['a'], ''), tagHash('a'));
    const pairs = [pairHash(pairText('k', 'é "1"')), pairHash(pairText('__proto__', ''))];
    assert.equal(
      filterHashes(['a', 'b'], '{"k":"é \\"1\\"","__proto__":""}'),
      [tagHash('a'), tagHash('b'), ...pairs].join(' '),
    );
  });

  it('fit into an entry of an index, however long the texts are', () => {
    const long = 'x'.repeat(256);
    const tags = Array.from({ length: 20 }, (_each, n) => `${n} ${long}`);
    assert.equal(filterHashes(tags, '').length, 239);
  });

  it('stay as jobs in databases have them', () => {
    assert.equal(tagHash('night'), 'miVx3SxR_zx');
    assert.equal(pairHash('"shot":"a1"'), 'XrWLJvzDd_1');
  });
});

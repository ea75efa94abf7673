import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import semver from 'semver';

import { normalizeVersion, versionKey } from './version-order.ts';

const number = fc.nat({ max: 12 });
const identifier = fc.oneof(number.map(String), fc.stringMatching(/^[a-zA-Z-][0-9a-zA-Z-]{0,3}$/));
const version = fc
  .tuple(number, number, number, fc.array(identifier, { maxLength: 3 }))
  .map(
    ([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre.length > 0 ? `-${pre.join('.')}` : ''}`,
  );

describe('version order', () => {
  it('is the order of semantic versions', () => {
    fc.assert(
      fc.property(version, version, (left, right) => {
        const [leftKey, rightKey] = [versionKey(left), versionKey(right)];
        const order = leftKey < rightKey ? -1 : leftKey > rightKey ? 1 : 0;
        assert.equal(order, semver.compare(left, right), `${left} and ${right}`);
      }),
      { numRuns: 2000 },
    );
  });

  for (const [text, normal] of [
    ['2.5', '2.5.0'],
    ['v1', '1.0.0'],
    ['1.2.3', '1.2.3'],
    ['1.2.3-rc.1', '1.2.3-rc.1'],
    ['1.2.3+build.5', '1.2.3'],
    [' 1.0.0 ', '1.0.0'],
    ['1.0.0-', undefined],
    ['1.0.0-rc..1', undefined],
    ['01.2.3', undefined],
    ['1.2.3.4', undefined],
    ['latest', undefined],
    ['', undefined],
    ['99999999999999999999.0.0', undefined],
  ] as const) {
    it(`reads "${text}" as ${normal ?? 'no version'}`, () => assert.equal(normalizeVersion(text), normal));
  }
});

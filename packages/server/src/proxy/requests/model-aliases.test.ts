import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { VIDEO_MODELS } from '@atelier/contracts';

import { toOwnModel, toPublicModel } from './model-aliases.ts';

const PAIRS = [
  ['clipq3-pro', 'viduq3-pro'],
  ['clipq2-pro-fast', 'viduq2-pro-fast'],
  ['clipq2-pro', 'viduq2-pro'],
  ['clipq2-turbo', 'viduq2-turbo'],
  ['clipq1', 'viduq1'],
  ['clipq1-classic', 'viduq1-classic'],
  ['clip2.0', 'vidu2.0'],
] as const;

describe('names of models', () => {
  for (const [own, alias] of PAIRS) {
    it(`${alias} is ${own}, where the setting allows it`, () => {
      assert.equal(toOwnModel(alias, { acceptAliases: true }), own);
      assert.equal(toOwnModel(alias, { acceptAliases: false }), undefined);
      assert.equal(toPublicModel(own), alias);
    });

    it(`${own} is itself, always`, () => {
      assert.equal(toOwnModel(own, { acceptAliases: true }), own);
      assert.equal(toOwnModel(own, { acceptAliases: false }), own);
    });
  }

  it('are exactly these seven', () => {
    assert.deepEqual(
      VIDEO_MODELS,
      PAIRS.map(([own]) => own),
    );
    for (const name of ['', 'clipq2', 'viduq2', 'CLIPQ1', 'clip2', 'constructor']) {
      assert.equal(toOwnModel(name, { acceptAliases: true }), undefined);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { enrichPrompt } from './enrich-prompt.ts';

describe('a recommended prompt without a picture', () => {
  it('decides what the prompt leaves open, the same for the same seed', () => {
    const made = enrichPrompt('mountains above a lake', 4);
    assert.match(made, /^mountains above a lake, .+, .+, .+$/);
    assert.equal(enrichPrompt('mountains above a lake', 4), made);
    const seeds = Array.from({ length: 20 }, (_, seed) => enrichPrompt('mountains above a lake', seed));
    assert.ok(new Set(seeds).size > 5);
  });

  it('leaves alone what the prompt says itself', () => {
    assert.equal(enrichPrompt('a rainy night, pan left', 4), 'a rainy night, pan left');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePrompt } from './parse-prompt.ts';

function wordsOf(prompt: string): string[][] {
  return parsePrompt(prompt).map((clause) => clause.map((phrase) => phrase.words));
}

describe('parsePrompt', () => {
  it('finds phrases of the vocabulary, the longest first, and ignores other words', () => {
    assert.deepEqual(wordsOf('a fox at golden hour in the forest'), [['golden hour', 'forest']]);
    assert.deepEqual(wordsOf('a zebra, juggling'), []);
    assert.deepEqual(wordsOf(''), []);
  });

  it('recognizes the forms of a word', () => {
    assert.deepEqual(wordsOf('Side-lighting'), [['side light']]);
    assert.deepEqual(wordsOf('lit from the left'), [['from left']]);
    assert.deepEqual(wordsOf('god rays'), [['god ray']]);
  });

  it('separates clauses', () => {
    assert.deepEqual(wordsOf('blue light from the left and orange light from the right'), [
      ['blue', 'from left'],
      ['orange', 'from right'],
    ]);
    assert.deepEqual(wordsOf('soft light, warm; night'), [['soft light'], ['warm'], ['night']]);
  });

  it('reads two colors that are one phrase as one', () => {
    assert.deepEqual(wordsOf('black and white'), [['black white']]);
  });

  it('reads a color as that of the light only near a word for light', () => {
    assert.deepEqual(wordsOf('a woman who wears a red dress on a bench'), []);
    assert.deepEqual(wordsOf('a woman in soft red light'), [['soft', 'red']]);
    assert.deepEqual(wordsOf('red'), [['red']]);
  });

  it('counts weighted words more, within their brackets', () => {
    const [first, second] = parsePrompt('(golden hour:1.4) light, foggy').flat();
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(first.words, 'golden hour');
    assert.equal(second.part, 1);
    assert.ok(Math.abs(first.part - 2) < 1e-9);
    assert.equal(parsePrompt('light from (the left:1.2)').flat()[0]?.part, 1.5);
  });

  it('limits weights to 1 to 1.4, and reads other brackets as plain text', () => {
    assert.deepEqual(parsePrompt('(night:9)'), parsePrompt('(night:1.4)'));
    assert.deepEqual(parsePrompt('(night:16)'), parsePrompt('night'));
    assert.equal(parsePrompt('(night:0.2)').flat()[0]?.part, 1);
    assert.deepEqual(wordsOf('(night) (sunset at 5:30 pm)'), [['night', 'sunset']]);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understandRelightPrompt, understandVideoPrompt } from './understand-prompt.ts';

const SCENE = { hasImage: false, hasSound: false, isReplaced: false };
const MOVE = { ...SCENE, hasImage: true };

const cases = [
  ['Waves roll onto the beach below mountains at sunset, slow push in', SCENE, ['roll']],
  ['a chef cooking pasta', SCENE, ['chef', 'cooking', 'pasta']],
  ['ein Schiff im Sturm', SCENE, ['ein', 'schiff', 'im', 'sturm']],
  ['a red boat, a red sky; the boat drifts', SCENE, ['boat', 'drifts']],
  ['a woman by the sea, the camera pans left', MOVE, ['woman', 'sea']],
  ['a woman by the sea, the camera pans left', { ...MOVE, hasSound: true }, ['woman']],
  ['夜の海', SCENE, ['夜の海']],
  ['zoom in', { ...MOVE, isReplaced: true }, ['zoom']],
  ['', MOVE, []],
] as const;

for (const [prompt, what, ignored] of cases) {
  test(`“${prompt}” ${what.hasImage ? 'with' : 'without'} a start frame: ${ignored.length} words are ignored`, () => {
    assert.deepEqual(understandVideoPrompt({ prompt, ...what }).ignoredWords, ignored);
  });
}

test('a prompt is understood if one word has an effect, or if it is empty', () => {
  const isUnderstood = (prompt: string): boolean => understandVideoPrompt({ prompt, ...SCENE }).isUnderstood;
  assert.deepEqual(['', 'a lake', 'zoom in', 'a teal cow', 'a chef cooking pasta', '…'].map(isUnderstood), [
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('words of a relight prompt outside of its vocabulary are ignored', () => {
  const reading = understandRelightPrompt('(moonlight:1.3) from the left, like a walrus');
  assert.deepEqual(reading, { ignoredWords: ['like', 'walrus'], isUnderstood: true });
  assert.equal(understandRelightPrompt('a walrus').isUnderstood, false);
  assert.equal(understandRelightPrompt('').isUnderstood, true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { understandPrompt } from './understand-prompt.ts';

const SCENE = { hasImage: false, hasSound: false };
const MOVE = { hasImage: true, hasSound: false };

const cases = [
  ['Waves roll onto the beach below mountains at sunset, slow push in', SCENE, ['roll']],
  ['a chef cooking pasta', SCENE, ['chef', 'cooking', 'pasta']],
  ['ein Schiff im Sturm', SCENE, ['ein', 'schiff', 'im', 'sturm']],
  ['a red boat, a red sky; the boat drifts', SCENE, ['boat', 'drifts']],
  ['a woman by the sea, the camera pans left', MOVE, ['woman', 'sea']],
  ['a woman by the sea, the camera pans left', { ...MOVE, hasSound: true }, ['woman']],
  ['夜の海', SCENE, ['夜の海']],
  ['', MOVE, []],
] as const;

for (const [prompt, what, ignored] of cases) {
  test(`“${prompt}” ${what.hasImage ? 'with' : 'without'} a start frame: ${ignored.length} words are ignored`, () => {
    assert.deepEqual(understandPrompt({ prompt, ...what }).ignoredWords, ignored);
  });
}

test('a prompt is understood when one word changes something, or when it is empty', () => {
  const isUnderstood = (prompt: string): boolean => understandPrompt({ prompt, ...SCENE }).isUnderstood;
  assert.deepEqual(['', 'a lake', 'zoom in', 'a teal cow', 'a chef cooking pasta', '…'].map(isUnderstood), [
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

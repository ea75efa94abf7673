import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../random.ts';
import type { Brief } from './brief.ts';
import { readPrompt } from './read-prompt.ts';

function read(prompt: string): Brief {
  return readPrompt(prompt, seededRandom(1, ''));
}

describe('one or many', () => {
  const said = [
    ['a horse', 0],
    ['wild horses', 1],
    ['a sheep on a hill', 0],
    ['sheep on a hill', 1],
    ['a pack of wolves', 1],
    ['the birds', 1],
    ['an eagle', 0],
    ['a flock over the sea', 1],
    ['people', 2],
    ['a man and his dogs', 1],
  ] as const;
  for (const [prompt, count] of said) {
    test(`“${prompt}”`, () => assert.equal(read(prompt).many.size, count));
  }
});

describe('how they move', () => {
  const said = [
    ['a man in a field', 1],
    ['a man runs', 2],
    ['a horse gallops', 2],
    ['a woman stands on a hill', 0],
    ['cows graze', 0],
  ] as const;
  for (const [prompt, pace] of said) {
    test(`“${prompt}”`, () => assert.equal(read(prompt).pace, pace));
  }
});

test('a car out of town drives over land, and in town on a street', () => {
  assert.equal(read('a car on a road by the hills').ground, 'meadow');
  assert.equal(read('a car in the city').ground, 'street');
});

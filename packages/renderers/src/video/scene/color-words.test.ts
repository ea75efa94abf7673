import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { hex } from '../rgb.ts';
import type { Subject } from './brief.ts';
import { readPrompt } from './read-prompt.ts';

const said: readonly (readonly [string, Subject, string | undefined])[] = [
  ['a red car on a road', 'car', '#d8322f'],
  ['a black and white dog', 'dog', '#f2f4f7'],
  ['a woman in a yellow dress', 'woman', '#f7d038'],
  ['a man walks in a long green coat', 'person', '#3da551'],
  ['blue sky, a horse', 'horse', undefined],
];

for (const [prompt, subject, color] of said) {
  test(`“${prompt}” gives the ${subject} ${color ?? 'its own color'}`, () => {
    const { subjects, subjectColors } = readPrompt(prompt, seededRandom(1, ''));
    assert.ok(subjects.includes(subject));
    const found = subjectColors.get(subject);
    assert.equal(found && hex(found), color);
  });
}

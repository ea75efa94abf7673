import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { readPromptWeights, validateWeights } from './prompt-weights.ts';

describe('weights of a prompt', () => {
  it('are numbers after a colon at the end of brackets', () => {
    assert.deepEqual(readPromptWeights('a (rim light:1.2) and (golden hour: 1.4 ), (soft : 1)'), [
      { phrase: 'rim light', weight: 1.2 },
      { phrase: 'golden hour', weight: 1.4 },
      { phrase: 'soft', weight: 1 },
    ]);
  });

  it('may be nested, in any script, with colons in the phrase', () => {
    assert.deepEqual(
      readPromptWeights('((rim light:1.1) from the left:1.3) (逆光:1.2) (mood: dark:1.4) (☀:1)'),
      [
        { phrase: 'rim light', weight: 1.1 },
        { phrase: '(rim light:1.1) from the left', weight: 1.3 },
        { phrase: '逆光', weight: 1.2 },
        { phrase: 'mood: dark', weight: 1.4 },
        { phrase: '☀', weight: 1 },
      ],
    );
  });

  for (const prompt of [
    'no brackets:1.9',
    '(no colon 1.9)',
    '(no number: soft)',
    '(year:1999)',
    '(just above:10.5)',
    '(sunset at 19:30)',
    '(sunset at 7:05)',
    '(16:9)',
    '(:1.9)',
    '( :1.9)',
    '(hex:0x2)',
    '(power:1e1)',
    '(comma:1,9)',
    '(two numbers:1.2 1.9)',
    '(never closed:1.9',
    'never opened:1.9)',
    String.raw`\(escaped:1.9\)`,
    '(a:1.9 (b))',
    '',
  ]) {
    it(`are not in ${JSON.stringify(prompt)}, which is plain text`, () => {
      assert.deepEqual(readPromptWeights(prompt), []);
    });
  }

  it('from 1 to 1.4 are valid', () => {
    assert.deepEqual(validateWeights('prompt', '(a:1) (b:1.0) (c:1.4) (d:1.40) (e:+1.2)'), []);
  });

  for (const [prompt, phrase, weight] of [
    ['(rim light:1.9)', 'rim light', '1.9'],
    ['(rim light:0.9)', 'rim light', '0.9'],
    ['(rim light:.5)', 'rim light', '0.5'],
    ['(rim light:1.41)', 'rim light', '1.41'],
    ['(rim light:-1)', 'rim light', '-1'],
    ['(rim light:0)', 'rim light', '0'],
    ['(rim light:10)', 'rim light', '10'],
    ['(good:1.2) ((fog:3) thick:1.1)', 'fog', '3'],
  ] as const) {
    it(`that are too small or too large are told with their phrase: ${prompt}`, () => {
      assert.deepEqual(validateWeights('prompt', prompt), [
        `prompt must have weights from 1 to 1.4: "${phrase}" has ${weight}`,
      ]);
    });
  }

  it('are reported with the beginning of a long phrase', () => {
    const [problem = ''] = validateWeights('prompt', `(${'🌅'.repeat(500)}:2)`);
    assert.equal(problem, `prompt must have weights from 1 to 1.4: "${'🌅'.repeat(60)}…" has 2`);
  });

  it('are found within any plain text', () => {
    const plain = fc.stringMatching(/^[^()\\:]{0,40}$/u);
    const weight = fc.integer({ min: 0, max: 1000 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(plain, plain, weight, (before, after, number) => {
        const problems = validateWeights('prompt', `${before}(soft light:${number})${after}`);
        assert.equal(problems.length, number >= 1 && number <= 1.4 ? 0 : 1);
      }),
    );
  });

  it('are read from any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('(', ')', ':', '\\', '1', '.', '9', 'a', ' ') }),
        (prompt) => {
          for (const { phrase, weight } of readPromptWeights(prompt)) {
            assert.ok(prompt.includes(phrase) && weight <= 10);
          }
        },
      ),
    );
  });
});

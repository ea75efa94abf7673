import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findingsIn } from '../test/make-pack.ts';
import { RULES, type RuleId } from './rules.ts';
import type { Cases } from './test/cases.ts';
import { HIDING_CASES } from './test/hiding-cases.ts';
import { REACHING_CASES } from './test/reaching-cases.ts';
import { RUNNING_CASES } from './test/running-cases.ts';

/** Rules about files instead of code have their tests in `archive-findings.test.ts`. */
type CodeRule = Exclude<
  RuleId,
  | 'bundled-executable'
  | 'disguised-executable'
  | 'bytecode'
  | 'odd-encoding'
  | 'reordered-text'
  | 'unread-source'
>;

const CASES: Readonly<Record<CodeRule, Cases>> = {
  ...RUNNING_CASES,
  ...HIDING_CASES,
  ...REACHING_CASES,
};

describe('the rule', () => {
  for (const [rule, { hits, misses }] of Object.entries(CASES)) {
    describe(rule, () => {
      for (const source of hits) {
        it(`is broken by ${JSON.stringify(source).slice(0, 100)}`, async () => {
          const found = await findingsIn(source);
          const broken = found.find((finding) => finding.rule === rule);
          assert.ok(broken, `found only ${JSON.stringify(found.map((finding) => finding.rule))}`);
          assert.equal(broken.explanation, RULES[broken.rule].explanation);
        });
      }
      for (const source of misses) {
        it(`is kept by ${JSON.stringify(source).slice(0, 100)}`, async () => {
          const found = await findingsIn(source);
          assert.deepEqual(
            found.filter((finding) => finding.rule === rule),
            [],
          );
        });
      }
    });
  }
});

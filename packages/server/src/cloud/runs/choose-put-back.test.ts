import assert from 'node:assert/strict';
import { test } from 'node:test';

import { choosePutBack } from './choose-put-back.ts';

const NOW = 1_000_000;
const SLICE_MS = 1000;

/** `ada@5000` has run for 5 seconds, `ada@5000x1` after it was put back once. */
function chosen(
  running: readonly string[],
  waiting: Readonly<Record<string, number>>,
  lanes = running.length,
) {
  const jobs = running.map((name) => {
    const [, userId = '', ms = '', putBacks = '0'] = /^(\w+)@(\d+)(?:x(\d+))?$/.exec(name) ?? [];
    return { name, userId, startedAt: NOW - Number(ms), putBacks: Number(putBacks) };
  });
  const lines = Object.entries(waiting).map(([userId, ms]) => ({ userId, since: NOW - ms }));
  return choosePutBack({ lanes, running: jobs, waiting: lines, sliceMs: SLICE_MS, now: NOW })?.name;
}

const CASES: readonly (readonly [
  what: string,
  running: readonly string[],
  waiting: Readonly<Record<string, number>>,
  expected: string | undefined,
])[] = [
  ['the job begun last, of who has all lanes', ['ada@9000', 'ada@5000'], { bob: 1000 }, 'ada@5000'],
  ['the only job, on one lane', ['ada@5000'], { bob: 1000 }, 'ada@5000'],
  ['nothing when the other has waited less than a slice', ['ada@9000', 'ada@5000'], { bob: 999 }, undefined],
  ['nothing when only the same account waits', ['ada@9000', 'ada@5000'], { ada: 5000 }, undefined],
  ['nothing when nobody waits', ['ada@9000', 'ada@5000'], {}, undefined],
  ['no job before its slice is over', ['ada@9000', 'ada@999'], { bob: 5000 }, 'ada@9000'],
  ['no job before its slice is over, which doubles', ['ada@1999x1', 'ada@3999x2'], { bob: 5000 }, undefined],
  ['a job after its doubled slice', ['ada@1999x1', 'ada@4000x2'], { bob: 5000 }, 'ada@4000x2'],
  ['nothing when each has a lane', ['ada@9000', 'bob@9000'], { eve: 5000 }, undefined],
  ['one of who has more than a lane', ['ada@9000', 'bob@9000', 'bob@8000'], { eve: 5000 }, 'bob@8000'],
  ['nothing that would only change sides', ['ada@9000', 'bob@9000', 'bob@8000'], { ada: 5000 }, undefined],
  [
    'one of who has the most lanes',
    ['ada@3000', 'ada@2000', 'bob@9000', 'bob@8000', 'bob@7000'],
    { eve: 5000 },
    'bob@7000',
  ],
];

for (const [what, running, waiting, expected] of CASES) {
  test(`puts back ${what}`, () => assert.equal(chosen(running, waiting), expected));
}

test('puts back nothing while a lane is free', () => {
  assert.equal(chosen(['ada@9000', 'ada@5000'], { bob: 5000 }, 3), undefined);
});

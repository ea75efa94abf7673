import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createHealthWatch, type PromptSigns } from './watch-health.ts';

const S = 1000;
const FINE: PromptSigns = {
  now: 0,
  place: 'running',
  isIdle: false,
  answeredAt: 0,
  heardAt: 0,
  hasSteps: false,
  cancelledAt: undefined,
};
const look = (signs: Partial<PromptSigns>): string | undefined =>
  createHealthWatch().look({ ...FINE, ...signs });

test('a ComfyUI that answers and goes on is not hung', () => {
  assert.equal(look({ now: 100 * S, answeredAt: 100 * S, heardAt: 0 }), undefined);
  assert.equal(look({ now: 80 * S, place: 'unknown', answeredAt: 0 }), undefined);
});

test('it is hung when it does not answer for 90 s', () => {
  assert.match(look({ now: 91 * S, place: 'unknown' }) ?? '', /stopped answering/);
});

test('it is hung when a node that reports steps is silent for 2 minutes, or any other for 20', () => {
  const now = 121 * S;
  assert.match(look({ now, answeredAt: now, hasSteps: true }) ?? '', /said nothing/);
  assert.equal(look({ now, answeredAt: now }), undefined);
  assert.match(look({ now: 1201 * S, answeredAt: 1201 * S }) ?? '', /said nothing/);
});

test('silence means nothing when the socket is lost or another prompt runs', () => {
  const now = 1201 * S;
  assert.equal(look({ now, answeredAt: now, heardAt: undefined }), undefined);
  assert.equal(look({ now, answeredAt: now, place: 'pending' }), undefined);
});

test('it is hung when it has a job, runs nothing and does not begin it for 10 s', () => {
  const watch = createHealthWatch();
  const pending = { ...FINE, place: 'pending', isIdle: true } as const;
  assert.equal(watch.look(pending), undefined);
  assert.equal(watch.look({ ...pending, now: 9 * S, answeredAt: 9 * S }), undefined);
  assert.match(watch.look({ ...pending, now: 11 * S, answeredAt: 11 * S }) ?? '', /does not begin/);
});

test('it is hung when a job still runs 30 s after it was stopped', () => {
  assert.match(
    look({ now: 31 * S, answeredAt: 31 * S, heardAt: 31 * S, cancelledAt: 0 }) ?? '',
    /was stopped/,
  );
});

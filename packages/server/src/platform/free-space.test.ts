import assert from 'node:assert/strict';
import { it } from 'node:test';

import { createFreeSpace } from './free-space.ts';

function aDisk(freeBytes: number) {
  const disk = { freeBytes, measured: 0, isBroken: false };
  const time = { now: 0 };
  const changes: boolean[] = [];
  const errors: unknown[] = [];
  const space = createFreeSpace({
    folder: '/nowhere',
    minFreeBytes: 1000,
    clock: () => time.now,
    onChange: (isLow) => changes.push(isLow),
    onError: (error) => errors.push(error),
    measure: async () => {
      disk.measured += 1;
      if (disk.isBroken) throw new Error('cannot be measured');
      return disk.freeBytes;
    },
  });
  return { disk, time, changes, errors, space };
}

it('refuses new work below the limit, and reports the change once', async () => {
  const { disk, time, changes, space } = aDisk(1000);
  assert.equal(await space.refusal(), undefined);
  disk.freeBytes = 999;
  time.now += 1000;
  assert.equal((await space.refusal())?.code, 'server.disk_low');
  time.now += 1000;
  assert.equal((await space.refusal())?.status, 507);
  disk.freeBytes = 1000;
  time.now += 1000;
  assert.equal(await space.refusal(), undefined);
  assert.deepEqual(changes, [true, false]);
});

it('is measured at most once a second', async () => {
  const { disk, time, space } = aDisk(1000);
  await Promise.all(Array.from({ length: 50 }, space.refusal));
  time.now += 999;
  await space.isLow();
  assert.equal(disk.measured, 1);
});

it('accepts work when it cannot be measured, and reports that', async () => {
  const { disk, errors, space } = aDisk(1000);
  disk.isBroken = true;
  assert.equal(await space.refusal(), undefined);
  assert.equal(errors.length, 1);
});

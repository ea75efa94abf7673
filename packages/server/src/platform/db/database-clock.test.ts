import assert from 'node:assert/strict';
import { it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { systemClock } from '../clock.ts';
import { openDatabaseClock } from './database-clock.ts';

const SKEW_MS = 3_600_000;
/** The machine of the tests is that of PostgreSQL, and busy. */
const ABOUT_MS = 600_000;

onEachDatabase('the clock of a server', (db, engine) => {
  for (const skew of [SKEW_MS, -SKEW_MS]) {
    const what = engine === 'sqlite' ? 'is its own' : "is PostgreSQL's";
    it(`${what} when it is ${skew > 0 ? 'ahead' : 'behind'}`, async () => {
      const skews: number[] = [];
      const { clock, close } = await openDatabaseClock(db(), {
        clock: () => systemClock() + skew,
        onSkew: (aheadMs) => skews.push(aheadMs),
        onError: (error) => assert.fail(String(error)),
      });
      const left = engine === 'sqlite' ? skew : 0;
      assert.ok(Math.abs(clock() - systemClock() - left) < ABOUT_MS);
      assert.equal(skews.length, engine === 'sqlite' ? 0 : 1);
      for (const found of skews) assert.ok(Math.abs(found - skew) < ABOUT_MS);
      await close();
    });
  }
});

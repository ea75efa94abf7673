import { test } from 'node:test';

/**
 * `npm run test:long` sets it to 1: series that `npm test` keeps short run at full length. `npm test` sets it to 0. A file that is run by itself
 * has all its tests, and series as short as in `npm test`.
 */
export const LONG_RUN_VARIABLE = 'ATELIER_TEST_LONG';

export const isLongRun = process.env[LONG_RUN_VARIABLE] === '1';
export const isShortRun = process.env[LONG_RUN_VARIABLE] === '0';

/**
 * For what takes long beside what it finds, such as sweeps over all pages of the console: `npm test` leaves it out. It does not count as the test of
 * a rule.
 */
export const longTest = isShortRun ? test.skip : test;

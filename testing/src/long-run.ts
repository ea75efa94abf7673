/** `npm run test:long` sets it: series that `npm test` keeps short run at full length. */
export const LONG_RUN_VARIABLE = 'ATELIER_TEST_LONG';

export const isLongRun = process.env[LONG_RUN_VARIABLE] === '1';

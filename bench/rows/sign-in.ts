import { httpLoad } from '../http-load.ts';
import { inProcess } from '../in-process.ts';
import type { Row, Sample } from '../row.ts';

const SLACK_MS = 30_000;

/**
 * Nearly all of a sign-in is meant to be the password check, so it is compared with the rate of that check
 * alone on the same cores, and not with the bare route.
 */
export const rows: readonly Row[] = [
  {
    kind: 'ratio',
    name: 'sign-in',
    prepare: async ({ ours: server }) => ({
      ours: httpLoad(server, {
        path: '/auth/token',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: server.admin.email, password: server.admin.password }),
      }),
      bare: async (seconds) =>
        await inProcess<Sample>('check-passwords.ts', { seconds }, { deadlineMs: seconds * 1000 + SLACK_MS }),
    }),
  },
];

import { bearerToken } from '../bearer-token.ts';
import { httpLoad } from '../http-load.ts';
import type { Bench, Row } from '../row.ts';

const BAR = 0.4;

/**
 * `user` answers from the one row that tells who is calling. The others read a second row for what is asked for:
 * the account, or the one API key that the administrator has.
 */
export const rows: readonly Row[] = [
  { ...read('user-by-key', '/users', byKey), bar: BAR },
  { ...read('user-by-token', '/users', byToken), bar: BAR },
  read('account-by-key', '/customers/me', byKey),
  read('account-by-token', '/customers/me', byToken),
  read('keys-by-key', '/customers/api-keys', byKey),
  read('keys-by-token', '/customers/api-keys', byToken),
];

type Headers = Readonly<Record<string, string>>;

function read(name: string, path: string, credential: (bench: Bench) => Promise<Headers>): Row {
  return {
    kind: 'ratio',
    name,
    prepare: async (bench) => ({
      ours: httpLoad(bench.ours, { path, headers: await credential(bench) }),
      bare: httpLoad(bench.bare, { path: '/bare' }),
    }),
  };
}

async function byKey({ ours }: Bench): Promise<Headers> {
  return { 'x-api-key': ours.admin.api_key };
}

async function byToken({ ours }: Bench): Promise<Headers> {
  return { authorization: `Bearer ${await bearerToken(ours)}` };
}

import { httpLoad } from '../http-load.ts';
import type { Bench, Row } from '../row.ts';

const BAR = 0.25;

/** `GET /users` answers from the one row that tells who is calling. */
export const rows: readonly Row[] = [
  { name: 'user-by-key', bar: BAR, prepare: async (bench) => read(bench, await keyOf(bench)) },
  { name: 'user-by-token', bar: BAR, prepare: async (bench) => read(bench, await tokenOf(bench)) },
];

function read({ ours, bare }: Bench, headers: Readonly<Record<string, string>>) {
  return { ours: httpLoad(ours, { path: '/users', headers }), bare: httpLoad(bare, { path: '/bare' }) };
}

async function keyOf({ ours }: Bench) {
  return { 'x-api-key': ours.admin.api_key };
}

async function tokenOf({ ours: { url, admin } }: Bench) {
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: admin.email, password: admin.password }),
    signal: AbortSignal.timeout(10_000),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}

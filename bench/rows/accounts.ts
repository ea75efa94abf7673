import { httpCall } from '../http-call.ts';
import { httpLoad } from '../http-load.ts';
import type { Bench, Row } from '../row.ts';
import { bareRoute, usualServer } from '../servers.ts';

/** `GET /users` answers from the one row that tells who is calling. */
export const rows: readonly Row[] = [
  { name: 'user-by-key', bar: 0.25, ours: readByKey, bare: bareRoute() },
  { name: 'user-by-token', bar: 0.25, ours: readByToken, bare: bareRoute() },
];

async function readByKey(bench: Bench) {
  const server = await usualServer(bench);
  return httpLoad(server, { paths: ['/users'], headers: { 'x-api-key': server.admin.api_key } });
}

async function readByToken(bench: Bench) {
  const server = await usualServer(bench);
  const body = JSON.stringify({ email: server.admin.email, password: server.admin.password });
  const { access_token } = await httpCall<{ access_token: string }>(`${server.url}/auth/token`, { body });
  return httpLoad(server, { paths: ['/users'], headers: { authorization: `Bearer ${access_token}` } });
}

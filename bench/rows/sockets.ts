import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { SocketsDrive } from '../drivers/sockets.ts';
import { inProcess } from '../in-process.ts';
import { residentMegabytesOf } from '../process-status.ts';
import type { Row } from '../row.ts';

const USERS = 200;
const SOCKETS = 2000;
const SLACK_MS = 60_000;

/** The real sockets of the cloud in a process of their own, with events for every user. */
export const rows: readonly Row[] = [
  {
    name: 'cloud-sockets-p99',
    unit: 'ms',
    bar: 100,
    measure: async ({ seconds }) => (await measureSockets(seconds)).p99Ms,
  },
  {
    name: 'cloud-socket-memory',
    unit: 'kB',
    bar: 60,
    measure: async ({ seconds }) => (await measureSockets(seconds)).kilobytesEach,
  },
];

async function measureSockets(seconds: number) {
  const server = fork(join(import.meta.dirname, '../drivers/socket-server.ts'), [String(USERS)]);
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    const before = await residentMegabytesOf(server.pid);
    const drive: SocketsDrive = { url, users: USERS, sockets: SOCKETS, seconds };
    const driving = inProcess<{ p99Ms: number }>('sockets', drive, seconds * 1000 + SLACK_MS);
    // Told by the server when all sockets are open.
    await once(server, 'message');
    const kilobytesEach = (((await residentMegabytesOf(server.pid)) - before) * 1024) / SOCKETS;
    return { ...(await driving), kilobytesEach };
  } finally {
    server.kill();
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { inProcess } from './in-process.ts';
import { residentMegabytesOf } from './process-status.ts';
import type { Sample } from './row.ts';

export const USERS = 200;
const SOCKETS = 2000;
/** Events a second for each user. */
export const RATE = 10;
const SLACK_MS = 60_000;

/** What the driver of sockets is told. */
export interface SocketsDrive {
  readonly url: string;
  readonly sockets: number;
  readonly seconds: number;
}

export interface MeasuredSockets {
  /** From when an event was made to when a socket had it. */
  readonly p99Ms: number;
  readonly kilobytesEach: number;
}

let measured: Promise<MeasuredSockets> | undefined;

/** The real sockets of the cloud in a process of their own, with events for every user; measured once for all rows. */
export async function measureSockets(seconds: number): Promise<MeasuredSockets> {
  measured ??= measureNow(seconds);
  return await measured;
}

async function measureNow(seconds: number): Promise<MeasuredSockets> {
  const server = fork(join(import.meta.dirname, 'socket-server.ts'));
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    const before = await residentMegabytesOf(server.pid);
    const work: SocketsDrive = { url, sockets: SOCKETS, seconds };
    // It answers while all sockets are still open.
    const driving = inProcess<Sample>('sockets-drive.ts', work, { deadlineMs: seconds * 1000 + SLACK_MS });
    const [{ open }] = (await once(server, 'message')) as [{ open: number }];
    const after = await residentMegabytesOf(server.pid);
    const { p99Ms } = await driving;
    return { p99Ms, kilobytesEach: ((after - before) * 1024) / open };
  } finally {
    server.kill();
  }
}

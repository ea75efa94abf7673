import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { WebSocket } from 'ws';

import { createEvents } from '../../packages/server/src/cloud/events/create-events.ts';
import type { UserEvent } from '../../packages/server/src/cloud/events/user-event.ts';
import { createInProcessBus } from '../../packages/server/src/platform/bus/in-process-bus.ts';
import type { App } from '../../packages/server/src/platform/http/route-config.ts';
import { inChild, startChild } from '../child.ts';
import { percentile } from '../measure.ts';
import { megabytesOf } from '../process-status.ts';
import { type Row, type Target, valueRow } from '../row.ts';
import { shared } from '../servers.ts';

const USERS = 200;
const SOCKETS = 2000;
/** At once, so that connecting does not look like a storm. */
const OPENING = 50;
const EVENTS_PER_SECOND = 10;

export const rows: readonly Row[] = [
  valueRow('cloud-sockets-p99', 'ms', 100, async (bench) => (await measureSockets(bench)).p99Ms),
  valueRow('cloud-socket-memory', 'kB', 60, async (bench) => (await measureSockets(bench)).kilobytesEach),
];

const measureSockets = shared(async ({ seconds }) => {
  using server = await startChild(import.meta.filename, serveSockets, {});
  return await inChild(import.meta.filename, openSockets, { url: server.answer, pid: server.pid, seconds });
});

/** The cloud's sockets without what is behind them: a token is a user, and jobs only report progress. Returns its address. */
export async function serveSockets(): Promise<string> {
  const fail = (error: unknown): never => {
    throw error;
  };
  const bus = createInProcessBus<UserEvent>(fail);
  const events = createEvents({
    bus,
    clock: Date.now,
    features: {},
    streamsPerUser: 100,
    publicUrl: undefined,
    authenticate: async ({ query }) => {
      const { token: userId } = query as { token: string };
      return { userId, email: '', name: '', role: 'user' };
    },
    countsOf: async () => ({ waiting: 0, running: 0 }),
    keptEventsOf: async () => undefined,
    onError: fail,
  });
  const app = Fastify() as unknown as App;
  app.decorateRequest('actor', undefined);
  await events.routes(app);

  const progress = { value: 1, max: 2, prompt_id: '0190a1b2-0000-7000-8000-000000000001', node: '2' };
  const publish = (userId: string) => {
    if (!bus.hasListeners(userId)) return;
    const data = JSON.stringify({ ...progress, at: performance.timeOrigin + performance.now() });
    bus.publish(userId, { kind: 'message', type: 'progress', jobId: userId, data, replaceable: true });
  };
  const every = 1000 / EVENTS_PER_SECOND;
  // Not all users in the same instant, as people are not.
  for (let user = 0; user < USERS; user += 1) {
    setTimeout(() => setInterval(() => publish(`user-${user}`), every), (user * every) / USERS);
  }
  return await app.listen({ host: '127.0.0.1', port: 0 });
}

export async function openSockets({ url, pid, seconds }: Target & { seconds: number }) {
  const before = await megabytesOf(pid);
  const times: number[] = [];
  let isCounting = false;
  const open = async (n: number): Promise<void> => {
    const address = `${url.replace('http', 'ws')}/ws?token=user-${n % USERS}`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isCounting || isBinary) return;
      const text = data.toString('latin1');
      const at = text.lastIndexOf('"at":');
      const now = performance.timeOrigin + performance.now();
      if (at > 0) times.push(now - Number.parseFloat(text.slice(at + 5)));
    });
    await once(socket, 'open');
  };
  for (let opened = 0; opened < SOCKETS; opened += OPENING) {
    await Promise.all(Array.from({ length: OPENING }, async (_, n) => await open(opened + n)));
  }
  const kilobytesEach = (((await megabytesOf(pid)) - before) * 1024) / SOCKETS;
  isCounting = true;
  await wait(seconds * 1000);
  return { p99Ms: percentile(times, 99), kilobytesEach };
}

import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';

import { createEvents } from '../../packages/server/src/cloud/events/create-events.ts';
import type { UserEvent } from '../../packages/server/src/cloud/events/user-event.ts';
import { v2EventsRoutes } from '../../packages/server/src/cloud/v2/events.routes.ts';
import { createInProcessBus } from '../../packages/server/src/platform/bus/in-process-bus.ts';
import type { App } from '../../packages/server/src/platform/http/route-config.ts';
import { inChild, startChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { httpLoad } from '../http-load.ts';
import { percentile } from '../measure.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { startCloud, trivialGraph } from '../seed-cloud.ts';

const POLLED = 50;
/** The runtime compiles what it sees often: the first thousands of reads cost three times what later ones do. */
const WARM_UP_SECONDS = 8;
/** Beside the reads. Each changes the tables that reads are kept of. */
const JOBS_PER_SECOND = 20;
const STREAMS = 500;
const USERS = 50;
/** At once, so that connecting does not look like a storm. */
const OPENING = 50;

/** The front of the Comfy API v2; `v2-submit` stands with the other submissions. */
export const rows: readonly Row[] = [
  valueRow('v2-job-read', '/s', 5000, readJobs),
  valueRow('v2-streams-p99', 'ms', 100, measureStreams),
];

/** `GET /api/v2/jobs/{id}` of finished jobs in turn, while other jobs run. */
async function readJobs(bench: Bench): Promise<number> {
  const server = await startCloud(bench, 2);
  const [key = '', other = ''] = server.keys;
  const paths: string[] = [];
  while (paths.length < POLLED) {
    const body = JSON.stringify({ prompt: trivialGraph(String(paths.length)) });
    const { prompt_id } = await httpCall<{ prompt_id: string }>(`${server.url}/api/prompt?wait=20`, {
      key,
      body,
    });
    paths.push(`/api/v2/jobs/${prompt_id}`);
  }
  const load = httpLoad(server, { paths, headers: { 'x-api-key': key } });
  const over = new AbortController();
  const submitOn = async () => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const body = JSON.stringify({ workflow: trivialGraph(`beside ${n}`) });
      await httpCall(`${server.url}/api/v2/jobs`, { key: other, body });
      await wait(1000 / JOBS_PER_SECOND);
    }
  };
  const beside = submitOn();
  try {
    await load(WARM_UP_SECONDS);
    return (await load(bench.seconds)).rate;
  } finally {
    over.abort();
    await beside;
  }
}

async function measureStreams({ seconds }: Bench): Promise<number> {
  using server = await startChild(import.meta.filename, serveStreams, {});
  return await inChild(import.meta.filename, openStreams, { url: server.answer, seconds });
}

/** The streams without what is behind them: a token is a user, who has one job that runs. Returns the address. */
export async function serveStreams(): Promise<string> {
  const fail = (error: unknown): never => {
    throw error;
  };
  const bus = createInProcessBus<UserEvent>(fail);
  const { streaming, live } = createEvents({
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
  app.addHook('onRequest', async (request) => {
    request.actor = await streaming.authenticate(request);
  });
  await v2EventsRoutes({
    streaming,
    jobs: { look: async () => ({ status: 'running', queuePosition: null, hasEnded: false, outputs: [] }) },
    progressElsewhere: { reader: async () => undefined },
  })(app);

  const tell = (userId: string) => {
    const at = String(performance.timeOrigin + performance.now());
    const about = { node_id: at, display_node_id: at, parent_node_id: null, real_node_id: at } as const;
    const data = { ...about, prompt_id: userId, image_type: 'image/jpeg' } as const;
    const step = { value: 1, max: 2, prompt_id: userId, node: '1' };
    // A picture of 10 kB with each step, as samplers send it.
    live.get(userId)?.tell({
      type: 'progress',
      data: step,
      preview: { data, bytes: new Uint8Array(10_000), isOutput: false },
    });
  };
  for (let user = 0; user < USERS; user += 1) {
    const userId = `user-${user}`;
    live.begin({
      id: userId,
      userId,
      attempt: 1,
      graph: '{"1":{"class_type":"A","inputs":{}}}',
      targets: '["1"]',
    });
    // Not all users in the same instant, as people are not. More often than twice a second would be held back on purpose.
    setTimeout(() => setInterval(() => tell(userId), 1000), (user * 1000) / USERS);
  }
  return await app.listen({ host: '127.0.0.1', port: 0 });
}

/** From the making of an event to its arrival. */
export async function openStreams({ url, seconds }: { url: string; seconds: number }): Promise<number> {
  const times: number[] = [];
  let isCounting = false;
  const stop = new AbortController();
  const open = async (n: number): Promise<void> => {
    const user = `user-${n % USERS}`;
    const { body } = await fetch(`${url}/api/v2/jobs/${user}/events?token=${user}`, { signal: stop.signal });
    const decoder = new TextDecoder();
    const read = async () => {
      for await (const chunk of body ?? []) {
        if (!isCounting) continue;
        const [, at] = /^event: preview\ndata: \{"node_id":"([\d.]+)"/m.exec(decoder.decode(chunk)) ?? [];
        if (at !== undefined) times.push(performance.timeOrigin + performance.now() - Number(at));
      }
    };
    read().catch(() => undefined);
  };
  for (let opened = 0; opened < STREAMS; opened += OPENING) {
    await Promise.all(Array.from({ length: OPENING }, async (_, n) => await open(opened + n)));
  }
  await wait(2000);
  isCounting = true;
  await wait(Math.max(seconds, 3) * 1000);
  stop.abort();
  if (times.length < STREAMS) throw new Error(`only ${times.length} events have arrived`);
  return percentile(times, 99);
}

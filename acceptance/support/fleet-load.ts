import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { download, type FileReference, newSubmitter, type Submitter } from './cloud.ts';
import type { Fleet } from './fleet.ts';
import { SKIN } from './generation.ts';
import { type Client, client } from './http-client.ts';
import { admin } from './people.ts';
import { type Watcher, watch } from './sockets.ts';
import {
  CRASHED,
  checkCredits,
  checkMessages,
  GOOD,
  untilAllDelivered,
  untilAllEnded,
  wholeLedger,
} from './task-accounts.ts';
import { until } from './until.ts';
import { newPicture } from './user-files.ts';
import { pictureWorkflow } from './workflows.ts';

const USERS = 2;
const CREDITS = 10_000;
/** Every so many submissions one is a task. */
const TASK_EVERY = 6;
const PAUSE_MS = 60;
/** A client gives up on a server that does not answer. */
const ANSWER_MS = 10_000;
/** What a client may repeat: the server is stopping, its database is away, the disk or the bucket, or the queue is full. */
const REPEATED = new Set([429, 502, 503, 504, 507]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

export interface FleetLoad {
  /** Jobs that were accepted, in order. */
  readonly jobs: ReadonlySet<string>;
  /** The most tries that a request took. */
  mostTries(): number;
  /** Resolves when so many more jobs are accepted. */
  more(count: number): Promise<void>;
  /** Resolves when the first `count` jobs have ended. */
  ended(count: number): Promise<void>;
  /** Stops submitting, waits for the end of everything, and holds the service to what it owes. */
  settle(): Promise<void>;
}

interface Caller extends Submitter {
  readonly jobs: Set<string>;
  readonly tasks: Set<string>;
  readonly watchers: { readonly watcher: Watcher; isLost: boolean }[];
}

/** People who submit jobs and tasks at every server, repeat what was not answered, and watch at every server. */
export async function startLoad(
  fleet: Fleet,
  { pauseMs = PAUSE_MS }: { readonly pauseMs?: number } = {},
): Promise<FleetLoad> {
  const over = new AbortController();
  const jobs = new Set<string>();
  let mostTries = 0;
  let turn = 0;
  const nextServer = (): string => {
    turn += 1;
    return fleet.servers[turn % fleet.servers.length]?.url ?? '';
  };
  const callers = await Promise.all(Array.from({ length: USERS }, async () => await newCaller(fleet)));

  /** Repeats a request, at the next server, until it is answered. */
  async function insist(caller: Caller, path: string, body: object): Promise<Record<string, unknown>> {
    const key = randomUUID();
    for (let tries = 1; ; tries += 1) {
      const answer = await post(nextServer() + path, body, {
        'x-api-key': caller.key,
        'idempotency-key': key,
      });
      if (answer?.status === 200) {
        mostTries = Math.max(mostTries, tries);
        return answer.body;
      }
      assert.ok(!answer || REPEATED.has(answer.status), `${path}: ${JSON.stringify(answer)}`);
      // A full queue is not a fault.
      if (answer?.status === 429) tries -= 1;
      await delay(answer?.status === 429 ? 500 : PAUSE_MS);
    }
  }

  async function keepSubmitting(caller: Caller): Promise<void> {
    const picture = (await newPicture(16, 12)).toString('base64');
    for (let count = 1; !over.signal.aborted; count += 1) {
      if (count % TASK_EVERY === 0) {
        const body = { image: picture, webhook_url: fleet.receiver.url('/tasks') };
        const { data } = await insist(caller, `${SKIN}/faithful`, body);
        caller.tasks.add((data as { task_id: string }).task_id);
      } else {
        const body = { prompt: pictureWorkflow(), webhook_url: fleet.receiver.url('/jobs') };
        const { prompt_id: id } = await insist(caller, '/api/prompt', body);
        caller.jobs.add(String(id));
        jobs.add(String(id));
      }
      await delay(pauseMs);
    }
  }

  const submitting = Promise.all(callers.map(keepSubmitting));
  // Reported by `settle`.
  submitting.catch(() => {});
  return {
    jobs,
    mostTries: () => mostTries,
    async more(count) {
      const before = jobs.size;
      await until(`${count} more jobs`, () => jobs.size >= before + count);
    },
    async ended(count) {
      const waited = new Set([...jobs].slice(0, count));
      for (const caller of callers) await untilJobsEnded(fleet, caller, caller.jobs.intersection(waited));
    },
    async settle() {
      over.abort();
      await submitting;
      try {
        for (const caller of callers) await checkCaller(fleet, caller);
      } finally {
        for (const { watchers } of callers) for (const { watcher } of watchers) watcher[Symbol.dispose]();
      }
    },
  };
}

async function newCaller(fleet: Fleet): Promise<Caller> {
  const [first] = fleet.servers;
  assert.ok(first);
  const submitter = await newSubmitter(first, 'team');
  await admin(first).post(`/admin/users/${submitter.id}/credits`, { amount: CREDITS });
  const watchers = await Promise.all(
    fleet.servers.map(async ({ url }) => {
      const watcher = await watch(url, submitter.key);
      const watched = { watcher, isLost: false };
      watcher.socket.on('error', () => {});
      watcher.socket.on('close', () => {
        watched.isLost = true;
      });
      return watched;
    }),
  );
  return { ...submitter, jobs: new Set(), tasks: new Set(), watchers };
}

interface JobAnswer {
  readonly status: string;
  readonly outputs?: Readonly<Record<string, { readonly images?: readonly FileReference[] }>>;
}

async function untilJobsEnded(
  { servers: [first] }: Fleet,
  caller: Caller,
  ids: ReadonlySet<string>,
): Promise<void> {
  assert.ok(first);
  const api = client(first.url, { apiKey: caller.key });
  for (const id of ids) {
    const job = await until(`the end of ${id}`, async () => {
      const { status, body } = await api.get<JobAnswer>(`/api/jobs/${id}`);
      return status === 200 && !['pending', 'in_progress'].includes(body.status) && body;
    });
    assert.equal(job.status, 'completed', JSON.stringify(job));
  }
}

/** Everything that was accepted has ended once, is paid right, was told, and can be read at every server. */
async function checkCaller(fleet: Fleet, caller: Caller): Promise<void> {
  const { servers, receiver } = fleet;
  await untilJobsEnded(fleet, caller, caller.jobs);
  const apis = servers.map(({ url }) => client(url, { apiKey: caller.key }));
  const api = apis[0];
  assert.ok(api);
  const names = new Set<string>();
  let index = 0;
  for (const id of caller.jobs) {
    index += 1;
    const from: Client = apis[index % apis.length] ?? api;
    const { body } = await from.get<JobAnswer>(`/api/jobs/${id}`);
    const [file] = body.outputs?.['2']?.images ?? [];
    assert.ok(file, `${id} has no picture`);
    assert.deepEqual(Buffer.from(await download(from, file)).subarray(0, PNG.length), PNG, id);
    assert.ok(!names.has(file.filename), `${file.filename} was saved twice`);
    names.add(file.filename);
    const events = await fetch(`${servers[index % servers.length]?.url}/api/jobs/${id}/events`, {
      headers: { 'x-api-key': caller.key },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const ends = (await events.text()).match(/^event: execution_success$/gm) ?? [];
    assert.equal(ends.length, 1, `${id} ended ${ends.length} times`);
  }
  const { body: listed } = await api.get<{ pagination: { total: number } }>('/api/jobs?limit=1');
  assert.equal(listed.pagination.total, caller.jobs.size, 'a submission was accepted twice');

  const tasks = await untilAllEnded(api);
  assert.deepEqual(new Set(tasks.map(({ id }) => id)), caller.tasks);
  for (const { state, error } of tasks)
    assert.ok(GOOD.has(state) || CRASHED.has(error?.code ?? ''), JSON.stringify(error));
  checkCredits(tasks, await wholeLedger(api), CREDITS);

  await untilAllDelivered(api);
  for (const task of tasks) checkMessages(task, receiver);
  const told = Map.groupBy(receiver.at('/jobs'), ({ text }) => (JSON.parse(text) as JobMessage).prompt_id);
  for (const id of caller.jobs) {
    const messages = new Set(told.get(id)?.map(({ headers }) => headers['webhook-id']));
    assert.equal(messages.size, 1, `${id} has ${messages.size} messages`);
  }

  for (const { watcher, isLost } of caller.watchers) {
    if (isLost) continue;
    for (const id of caller.jobs) await watcher.end(id);
  }
}

interface JobMessage {
  readonly prompt_id: string;
}

async function post(url: string, body: object, headers: Record<string, string>) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

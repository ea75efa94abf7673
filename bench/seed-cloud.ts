import { randomUUID } from 'node:crypto';
import type { RunningServer } from '@atelier/testing';

import { hashCredential } from '../packages/server/src/platform/credential-hash.ts';
import { type Db, withTransaction } from '../packages/server/src/platform/db/database.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import type { Bench } from './row.ts';
import { startSeeded } from './servers.ts';

const ROWS_AT_ONCE = 100;
const FINISHED_AT = 1_700_000_000_000;

export interface CloudServer {
  readonly server: RunningServer;
  /** API keys, each of another account that may run 25 jobs at once. */
  readonly keys: readonly string[];
}

interface CloudOptions {
  readonly users: number;
  /** Jobs that have ended, shared among the accounts. */
  readonly finished?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server of its own with accounts that may run jobs, and with a past. */
export async function startCloud(bench: Bench, options: CloudOptions): Promise<CloudServer> {
  const { users, finished = 0, environment = {} } = options;
  const seed = async (db: Db) => await withTransaction(db, async (tx) => await seedAll(tx, users, finished));
  const { server, seeded: keys } = await startSeeded(bench, { environment, seed });
  return { server, keys };
}

async function seedAll(tx: Db, users: number, finished: number): Promise<string[]> {
  const people = Array.from({ length: users }, () => ({ id: newId(), key: `atelier_${randomUUID()}` }));
  for (const batch of batches(people)) {
    const owned = batch.map(({ id }) => ({ user_id: id }));
    await tx
      .insertInto('users')
      .values(batch.map(({ id }) => aUser(id)))
      .execute();
    await tx
      .insertInto('subscriptions')
      .values(owned.map((row) => ({ ...row, tier: 'team', status: 'active', period_end: null })))
      .execute();
    await tx
      .insertInto('credit_balances')
      .values(owned.map((row) => ({ ...row, balance: 0 })))
      .execute();
    await tx
      .insertInto('api_keys')
      .values(batch.map(({ id, key }) => aKey(id, key)))
      .execute();
  }
  const jobs = Array.from({ length: finished }, (_, n) => aFinishedJob(people[n % 10]?.id ?? '', n));
  for (const batch of batches(jobs)) await tx.insertInto('jobs').values(batch).execute();
  const graph = JSON.stringify(trivialGraph('seeded'));
  await tx
    .insertInto('job_requests')
    .columns(['job_seq', 'graph', 'targets', 'node_order', 'extra_data'])
    .expression(
      tx
        .selectFrom('jobs')
        .select(({ val }) => [
          'seq',
          val(graph).as('graph'),
          val('["2"]').as('targets'),
          val('["1","2"]').as('node_order'),
          val('{}').as('extra_data'),
        ]),
    )
    .execute();
  await tx
    .insertInto('job_results')
    .columns(['job_seq', 'outputs', 'meta', 'events'])
    .expression(
      tx
        .selectFrom('jobs')
        .select(({ val }) => [
          'seq',
          val('{"2":{"text":["seeded"]}}').as('outputs'),
          val('{}').as('meta'),
          val('[]').as('events'),
        ]),
    )
    .execute();
  return people.map(({ key }) => key);
}

function aUser(id: string) {
  const email = `${id}@example.org`;
  const unset = { password_hash: null, ban_reason: null, credentials_since: 0, created_at: 1 };
  return { id, email, email_key: email, name: 'Bench', role: 'user', status: 'active', ...unset } as const;
}

function aKey(user_id: string, key: string) {
  const about = { name: 'bench', description: null, key_prefix: key.slice(0, 12), created_at: 1 };
  return { id: newId(), user_id, secret_hash: hashCredential(key), ...about };
}

function aFinishedJob(user_id: string, n: number) {
  const at = FINISHED_AT + n;
  return {
    id: newId(),
    user_id,
    status: 'completed',
    created_at: at,
    updated_at: at,
    started_at: at,
    ended_at: at,
    execution_ms: 5,
    attempt: 1,
    outputs_count: 1,
    previewable_outputs_count: 1,
    output_types: '',
    hidden: 0,
  } as const;
}

/** Nothing to work on: a text is shown. */
export function trivialGraph(text: string) {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: text } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

/** A graph of about 2 kB, as small workflows of people have. */
export function smallGraph() {
  const steps = Array.from({ length: 12 }, (_, n) => [
    String(n + 2),
    {
      class_type: 'StringConcatenate',
      inputs: { string_a: [String(n + 1), 0], string_b: `a few words for step ${n}`, delimiter: ', ' },
      _meta: { title: `Step ${n} of the text` },
    },
  ]);
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: 'a picture of a house' } },
    ...(Object.fromEntries(steps) as Record<string, unknown>),
    show: { class_type: 'PreviewAny', inputs: { source: ['13', 0] } },
  };
}

function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / ROWS_AT_ONCE) }, (_, n) =>
    items.slice(n * ROWS_AT_ONCE, (n + 1) * ROWS_AT_ONCE),
  );
}

import { randomUUID } from 'node:crypto';
import type { Engine, RunningServer } from '@atelier/testing';

import { hashCredential } from '../packages/server/src/platform/credential-hash.ts';
import { type Db, withTransaction } from '../packages/server/src/platform/db/database.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import { startSeeded } from './start-seeded.ts';

const ROWS_AT_ONCE = 100;
const FINISHED_AT = 1_700_000_000_000;

export interface CloudServer {
  readonly server: RunningServer;
  /** API keys, each of another account that may run 25 jobs at once. */
  readonly keys: readonly string[];
}

interface SeedOptions {
  readonly engine: Engine;
  readonly users: number;
  /** Jobs that have ended, shared among the accounts. */
  readonly finished?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A server of its own with accounts that may run jobs, and with a past. */
export async function startCloud({
  engine,
  users,
  finished = 0,
  environment = {},
}: SeedOptions): Promise<CloudServer> {
  const { server, seeded: keys } = await startSeeded({
    engine,
    environment,
    seed: async (db) => await withTransaction(db, async (tx) => await seed(tx, users, finished)),
  });
  return { server, keys };
}

async function seed(tx: Db, users: number, finished: number): Promise<string[]> {
  const people = Array.from({ length: users }, () => ({ id: newId(), key: `atelier_${randomUUID()}` }));
  for (const batch of batches(people)) await insertPeople(tx, batch);
  const owners = people.slice(0, 10);
  const jobs = Array.from({ length: finished }, (_, n) => ({
    id: newId(),
    userId: owners[n % owners.length]?.id ?? '',
    at: FINISHED_AT + n,
  }));
  for (const batch of batches(jobs)) await insertFinished(tx, batch);
  return people.map(({ key }) => key);
}

async function insertPeople(tx: Db, people: readonly { id: string; key: string }[]): Promise<void> {
  await tx
    .insertInto('users')
    .values(
      people.map(({ id }) => ({
        id,
        email: `${id}@example.org`,
        email_key: `${id}@example.org`,
        name: 'Bench',
        password_hash: null,
        role: 'user' as const,
        status: 'active' as const,
        ban_reason: null,
        credentials_since: 0,
        created_at: 1,
      })),
    )
    .execute();
  await tx
    .insertInto('subscriptions')
    .values(
      people.map(({ id }) => ({
        user_id: id,
        tier: 'team' as const,
        status: 'active' as const,
        period_end: null,
      })),
    )
    .execute();
  await tx
    .insertInto('credit_balances')
    .values(people.map(({ id }) => ({ user_id: id, balance: 0 })))
    .execute();
  await tx
    .insertInto('api_keys')
    .values(
      people.map(({ id, key }) => ({
        id: newId(),
        user_id: id,
        name: 'bench',
        description: null,
        key_prefix: key.slice(0, 12),
        secret_hash: hashCredential(key),
        created_at: 1,
      })),
    )
    .execute();
}

async function insertFinished(
  tx: Db,
  jobs: readonly { id: string; userId: string; at: number }[],
): Promise<void> {
  const rows = await tx
    .insertInto('jobs')
    .values(
      jobs.map(({ id, userId, at }) => ({
        id,
        user_id: userId,
        status: 'completed' as const,
        created_at: at,
        updated_at: at,
        started_at: at,
        ended_at: at,
        execution_ms: 5,
        attempt: 1,
        runner: null,
        lease_until: null,
        client_id: null,
        workflow_id: null,
        webhook_url: null,
        webhook_events: null,
        error: null,
        outputs_count: 1,
        previewable_outputs_count: 1,
        preview_output: null,
        output_types: '',
        hidden: 0,
      })),
    )
    .returning('seq')
    .execute();
  const graph = JSON.stringify(trivialGraph('seeded'));
  await tx
    .insertInto('job_requests')
    .values(
      rows.map(({ seq }) => ({
        job_seq: seq,
        graph,
        targets: '["2"]',
        node_order: '["1","2"]',
        extra_data: '{}',
        partner_key: null,
      })),
    )
    .execute();
  await tx
    .insertInto('job_results')
    .values(
      rows.map(({ seq }) => ({
        job_seq: seq,
        outputs: '{"2":{"text":["seeded"]}}',
        meta: '{}',
        events: '[]',
      })),
    )
    .execute();
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

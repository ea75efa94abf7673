import { randomUUID } from 'node:crypto';

import { hashCredential } from '../packages/server/src/platform/credential-hash.ts';
import type { Db } from '../packages/server/src/platform/db/database.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import type { Bench } from './row.ts';
import { startOurs } from './servers.ts';

const ROWS_AT_ONCE = 100;
/** Accounts that have a past. */
const OWNERS = 10;

export type CloudServer = Awaited<ReturnType<typeof startCloud>>;

/** With API keys, each of another account that may run 25 jobs at once, and with jobs that ended in the past. */
export async function startCloud(bench: Bench, users: number, past = 0, environment = {}) {
  const people = Array.from({ length: users }, () => ({ id: newId(), key: `atelier_${randomUUID()}` }));
  const seed = async (tx: Db) => {
    for (const { id, key } of people) await insertAccount(tx, id, key);
    const jobs = Array.from({ length: past }, (_, n) => aFinishedJob(people[n % OWNERS]?.id ?? '', n));
    for (let n = 0; n < past; n += ROWS_AT_ONCE) await insertJobs(tx, jobs.slice(n, n + ROWS_AT_ONCE));
  };
  return { ...(await startOurs(bench, { environment, seed })), keys: people.map(({ key }) => key) };
}

export async function insertAccount(tx: Db, user_id: string, key: string) {
  const email = `${user_id}@example.org`;
  const names = { email, email_key: email, name: 'Bench' };
  const user = {
    id: user_id,
    ...names,
    role: 'user',
    status: 'active',
    credentials_since: 0,
    created_at: 1,
  } as const;
  const subscription = { user_id, tier: 'team', status: 'active' } as const;
  const secret = { key_prefix: key.slice(0, 12), secret_hash: hashCredential(key) };
  const apiKey = { id: newId(), user_id, name: 'bench', created_at: 1, ...secret };
  await tx.insertInto('users').values(user).execute();
  await tx.insertInto('subscriptions').values(subscription).execute();
  await tx.insertInto('credit_balances').values({ user_id, balance: 0 }).execute();
  await tx.insertInto('api_keys').values(apiKey).execute();
}

async function insertJobs(tx: Db, jobs: readonly ReturnType<typeof aFinishedJob>[]) {
  const graph = JSON.stringify(trivialGraph('seeded'));
  const request = { graph, targets: '["2"]', node_order: '["1","2"]', extra_data: '{}' };
  const result = { outputs: '{"2":{"text":["seeded"]}}', meta: '{}', events: '[]' };
  const inserted = await tx.insertInto('jobs').values(jobs).returning('seq as job_seq').execute();
  const requests = inserted.map((job) => ({ ...job, ...request }));
  const results = inserted.map((job) => ({ ...job, ...result }));
  await tx.insertInto('job_requests').values(requests).execute();
  await tx.insertInto('job_results').values(results).execute();
}

function aFinishedJob(user_id: string, n: number) {
  const at = 1_700_000_000_000 + n;
  const times = { created_at: at, updated_at: at, started_at: at, ended_at: at, execution_ms: 5 };
  const outputs = { outputs_count: 1, previewable_outputs_count: 1, output_types: '' };
  return { id: newId(), user_id, status: 'completed', attempt: 1, hidden: 0, ...times, ...outputs } as const;
}

/** Nothing to work on: a text is shown. */
export function trivialGraph(text: string) {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: text } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

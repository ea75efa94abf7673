import { setTimeout as wait } from 'node:timers/promises';

import type { Db } from '../../packages/server/src/platform/db/database.ts';
import { seedLarge } from '../../packages/server/test/support/seed-large.ts';
import { httpCall } from '../http-call.ts';
import { median, percentile } from '../measure.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { shared, startOurs } from '../servers.ts';

const JOBS = 250_000;
const FILES = 50_000;
const CALLS = 5;

/** What reads most of a large table: deep pages, every order, and filters that match all or nothing. */
const LISTS: readonly string[] = [
  '/api/jobs',
  '/api/jobs?offset=125000',
  '/api/jobs?offset=240000',
  '/api/jobs?offset=240000&sort_order=asc',
  '/api/jobs?sort_by=execution_duration&offset=125000',
  '/api/jobs?sort_by=execution_duration&offset=240000&sort_order=asc',
  '/api/jobs?status=failed&offset=30000',
  '/api/jobs?status=cancelled',
  '/api/jobs?workflow_id=unknown',
  '/api/jobs?workflow_id=usual&offset=240000',
  '/api/jobs?workflow_id=unknown&sort_by=execution_duration',
  '/api/jobs?workflow_name=unknown',
  '/api/jobs?workflow_name=Portraits&offset=240000',
  '/api/jobs?tags=unknown',
  '/api/jobs?tags=night&offset=240000',
  '/api/jobs?tags=unknown&sort_by=execution_duration',
  '/api/jobs?output_type=video',
  '/api/jobs?created_before=5',
  '/api/jobs?created_from=5&sort_by=execution_duration&offset=240000',
  '/api/history?max_items=10',
  '/api/history?max_items=10&offset=9000',
  '/api/history_v2?max_items=10&offset=240000',
  '/api/queue',
  '/api/v2/jobs?limit=100',
  '/api/v2/jobs?metadata%5Bshot%5D=unknown',
  '/admin/jobs?status=cancelled',
  '/admin/jobs?status=failed&before=20000',
  '/admin/jobs?user_id=unknown',
  '/api/assets?offset=49000',
  '/api/assets?sort=name&offset=49000',
  '/api/assets?sort=size&order=asc&offset=25000',
  '/api/assets?sort=last_access_time&offset=49000',
  '/api/assets?sort=updated_at&tags_all=unknown',
  '/api/assets?tags_all=night&sort=size&offset=49000',
  '/api/assets?tags_none=night',
  '/api/assets?tags_any=night,day&offset=49000',
  '/api/assets?name_contains=unknown',
  '/api/assets?name_contains=picture&sort=size&offset=49000',
  '/api/assets?kind=video',
  '/api/assets?metadata_filter=%7B%22rating%22%3A9%7D',
  '/api/tags',
  '/api/assets/tags/refine?name_contains=unknown',
  '/internal/files/input',
  '/internal/files/output',
  '/api/usage',
  '/proxy/tasks?limit=100',
  '/proxy/tasks?state=failed',
  '/webhooks/deliveries?limit=100',
  '/webhooks/deliveries?status=failed',
  '/webhooks/deliveries?subject=unknown',
  '/admin/users?search=unknown',
];

export const rows: readonly Row[] = [
  valueRow('large-lists', 'ms', 50, slowestList),
  valueRow('large-lists-health-p99', 'ms', 20, healthBesideLists),
];

const largeServer = shared(async (bench: Bench) => {
  const seed = async (tx: Db) => {
    const { id } = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await seedLarge(tx, id, { jobs: JOBS, files: FILES, endedAt: Date.now() - 3_600_000 });
  };
  return await startOurs(bench, { seed });
});

/** The usual time of the slowest of all lists. */
async function slowestList(bench: Bench): Promise<number> {
  const { url, admin } = await largeServer(bench);
  let slowest = { path: '', ms: 0 };
  for (const path of LISTS) {
    const times: number[] = [];
    while (times.length < CALLS) {
      const begin = performance.now();
      await httpCall(`${url}${path}`, { key: admin.api_key });
      times.push(performance.now() - begin);
    }
    const ms = median(times);
    if (ms > slowest.ms) slowest = { path, ms };
  }
  console.log(`  slowest: ${slowest.path}`);
  return slowest.ms;
}

/** How long others wait while four of them are asked for at any moment. */
async function healthBesideLists(bench: Bench): Promise<number> {
  const { url, admin } = await largeServer(bench);
  let next = 0;
  const ask = async () => {
    while (next < LISTS.length) await httpCall(`${url}${LISTS[next++]}`, { key: admin.api_key });
  };
  return await healthWhile(url, Promise.all([ask(), ask(), ask(), ask()]));
}

async function healthWhile(url: string, work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const working = work.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const begin = performance.now();
    await (await fetch(`${url}/health`)).text();
    times.push(performance.now() - begin);
    await wait(5);
  }
  await working;
  return percentile(times, 99);
}

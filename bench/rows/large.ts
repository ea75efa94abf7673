import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

import { forgetOldJobs } from '../../packages/server/src/cloud/old-jobs.ts';
import type { Db } from '../../packages/server/src/platform/db/database.ts';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { seedLarge } from '../../packages/server/test/support/seed-large.ts';
import { inChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { median, percentile } from '../measure.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { insertAccount } from '../seed-cloud.ts';
import { openDatabase, shared, startOurs } from '../servers.ts';

const JOBS = 250_000;
const FILES = 50_000;
const CALLS = 5;
const PROBE_MS = 5;
const LIST_BAR_MS = 50;

/** What reads most of a large table: deep pages, every order, and filters that match all or nothing. */
const JOB_LISTS: readonly string[] = [
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
];
const OTHER_LISTS: readonly string[] = [
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
  valueRow('large-lists', 'ms', LIST_BAR_MS, async (bench) => await slowestOf(bench, JOB_LISTS)),
  valueRow('large-other-lists', 'ms', 2 * LIST_BAR_MS, async (bench) => await slowestOf(bench, OTHER_LISTS)),
  valueRow('large-lists-health', 'ms', 20, healthBesideLists),
  valueRow('large-start', 'ms', 1500, async (bench) => (await largeServer(bench)).startMs),
  valueRow('large-delete-health', 'ms', 20, healthBesideDeletion),
  valueRow('retention-health', 'ms', 20, healthBesideRetention),
];

const largeServer = shared(async (bench: Bench) => await startLarge(bench, Date.now() - 3_600_000, FILES));

/** With an account that has all the jobs and files, beside the administrator. */
async function startLarge(bench: Bench, endedAt: number, files: number) {
  const [userId, key] = [newId(), `atelier_${randomUUID()}`];
  const seed = async (tx: Db) => {
    await insertAccount(tx, userId, key);
    // May also see the jobs of all.
    await tx.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute();
    await seedLarge(tx, userId, { jobs: JOBS, files, endedAt });
  };
  const server = await startOurs(bench, { seed });
  if (server.databaseUrl !== undefined) await vacuum(server.databaseUrl);
  return { ...server, userId, key };
}

/** As it has long been done in a database that grew. */
async function vacuum(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

/** The usual time of the slowest of these lists. */
async function slowestOf(bench: Bench, paths: readonly string[]): Promise<number> {
  const { url, key } = await largeServer(bench);
  let slowest = 0;
  for (const path of paths) {
    const times: number[] = [];
    while (times.length < CALLS) {
      const begin = performance.now();
      await httpCall(`${url}${path}`, { key });
      times.push(performance.now() - begin);
    }
    const ms = median(times);
    if (ms > LIST_BAR_MS) process.stderr.write(`${path} ${ms.toFixed(0)} ms … `);
    slowest = Math.max(slowest, ms);
  }
  return slowest;
}

/** How long others wait while four of them are asked for at any moment. */
async function healthBesideLists(bench: Bench): Promise<number> {
  const { url, key } = await largeServer(bench);
  const paths = [...JOB_LISTS, ...OTHER_LISTS, '/api/history'];
  let next = 0;
  const ask = async () => {
    while (next < paths.length) await httpCall(`${url}${paths[next++]}`, { key });
  };
  return await worstWhile(Promise.all([ask(), ask(), ask(), ask()]), async () => await askHealth(url));
}

async function healthBesideDeletion(bench: Bench): Promise<number> {
  const { url, admin, userId } = await startLarge(bench, Date.now() - 3_600_000, FILES / 50);
  const deletion = fetch(`${url}/admin/users/${userId}`, {
    method: 'DELETE',
    headers: { 'x-api-key': admin.api_key },
  });
  const p99 = await worstWhile(deletion, async () => await askHealth(url));
  if (!(await deletion).ok) throw new Error(await (await deletion).text());
  return p99;
}

const askHealth = async (url: string) => await (await fetch(`${url}/health`)).text();

/** Retention of a server that is not running: nobody would wait ten minutes for it. */
async function healthBesideRetention(bench: Bench): Promise<number> {
  const { dataFolder, databaseUrl, stop } = await startLarge(bench, Date.UTC(2024), 1);
  await stop();
  return await inChild(import.meta.filename, forgetAll, { dataFolder, databaseUrl });
}

/** Deletes all jobs as a server does, and tells how long a small write takes meanwhile (p99). */
export async function forgetAll(where: Parameters<typeof openDatabase>[0]): Promise<number> {
  const db = await openDatabase(where);
  const retention = forgetOldJobs({ db, now: Date.now(), keptMs: 1 });
  const p99 = await worstWhile(retention, async () => {
    await db.deleteFrom('job_keys').where('user_id', '=', 'nobody').execute();
  });
  const left = await db.selectFrom('jobs').select('seq').limit(1).execute();
  if (left.length > 0) throw new Error('jobs are left');
  await db.destroy();
  return p99;
}

/** How long a probe takes while work is under way (p99). */
async function worstWhile(work: Promise<unknown>, probe: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const working = work.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const begin = performance.now();
    await probe();
    times.push(performance.now() - begin);
    await wait(PROBE_MS);
  }
  await working;
  return percentile(times, 99);
}

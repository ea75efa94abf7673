import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createPostgresDatabase, isLongRun, type TestDatabase } from '@atelier/testing';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { openPostgres } from '../../platform/db/open-database.ts';
import { Secret } from '../../platform/secret.ts';
import { createJobQueue } from './create-job-queue.ts';
import { JOB_TRANSITIONS } from './job.state.ts';
import { manyUsers } from './test/a-queue.ts';
import { type Change, keepAuditLog, readAuditLog } from './test/audit-log.ts';

const RUNNER = fileURLToPath(new URL('test/runner-process.ts', import.meta.url));
const PROCESSES = 4;
const SLOTS = 6;
const JOBS = isLongRun ? 50_000 : 5000;
const USERS = JOBS / 50 + 1;
/** Jobs of the user who has the most. */
const BIG = JOBS / 10;
/** How many jobs of its own each of the doomed ends before it is killed with what it holds. */
const DEATHS = [0.03, 0.03, 0.03].map((part) => part * JOBS);
/** How many each of the others ends before the last death, so that the doomed find jobs however slowly they start. */
const BEFORE_DEATHS = 0.2 * JOBS;
const TIERS = [1, 3, 5] as const;

describe(`four processes on one PostgreSQL with ${JOBS} jobs, three of which are killed`, () => {
  let server: TestDatabase;
  let db: Db;
  let log: readonly Change[] = [];
  let limits = new Map<string, number>();

  before(async () => {
    server = await createPostgresDatabase();
    db = await openPostgres({ url: new Secret(server.url), poolSize: 2, onLost: () => {} });
    limits = await fill(db);
    await keepAuditLog(db);
    // The processes die here, not PostgreSQL.
    await sql`alter database ${sql.ref(new URL(server.url).pathname.slice(1))} set synchronous_commit = off`.execute(
      db,
    );
    const steady = Array.from({ length: PROCESSES - 1 }, (_, index) =>
      start(server.url, `steady ${index}`, BEFORE_DEATHS),
    );
    const exits = steady.map(untilExit);
    // The fourth dies again and again, and each time another takes its place.
    for (const [index, jobs] of DEATHS.entries()) {
      const doomed = start(server.url, `doomed ${index}`, jobs);
      await once(doomed, 'message');
      doomed.kill('SIGKILL');
      await once(doomed, 'exit');
    }
    for (const child of steady) child.send('go on');
    exits.push(untilExit(start(server.url, 'last', 0)));
    await Promise.all(exits);
    log = await readAuditLog(db);
  });

  after(async () => {
    await db.destroy();
    await server.drop();
  });

  it('ends every job exactly once, and gives none up', async () => {
    const ends = log.filter(({ to }) => to !== 'in_progress' && to !== 'pending');
    assert.equal(ends.length, JOBS);
    assert.equal(new Set(ends.map(({ jobId }) => jobId)).size, JOBS);
    assert.deepEqual([...new Set(ends.map(({ to }) => to))], ['completed']);
    const { results } = await db
      .selectFrom('job_results')
      .select((eb) => eb.fn.countAll<number>().as('results'))
      .executeTakeFirstOrThrow();
    assert.equal(results, JOBS);
  });

  it('makes only legal transitions', () => {
    const states = new Map<string, string>();
    for (const { jobId, from, to } of log) {
      assert.equal(from, states.get(jobId) ?? 'pending');
      const allowed: readonly string[] = JOB_TRANSITIONS[from as keyof typeof JOB_TRANSITIONS];
      assert.ok(allowed.includes(to), `${from} to ${to}`);
      states.set(jobId, to);
    }
  });

  it('runs the jobs of the killed processes again as another attempt', () => {
    const returned = log.filter(({ to }) => to === 'pending');
    assert.ok(returned.length >= DEATHS.length * SLOTS, `only ${returned.length} came back`);
    const second = log.filter(({ to, attempt }) => to === 'completed' && attempt > 1);
    assert.equal(
      new Set(second.map(({ jobId }) => jobId)).size,
      new Set(returned.map(({ jobId }) => jobId)).size,
    );
  });

  it('never runs more jobs of a user than allowed', () => {
    const running = new Map<string, number>();
    let fullest = 0;
    for (const { userId, from, to } of log) {
      const now = (running.get(userId) ?? 0) + Number(to === 'in_progress') - Number(from === 'in_progress');
      running.set(userId, now);
      assert.ok(now <= (limits.get(userId) ?? 0), `${now} of ${userId}`);
      fullest = Math.max(fullest, now);
    }
    assert.equal(fullest, Math.max(...TIERS));
  });

  it("begins each user's jobs in order of arrival", () => {
    const last = new Map<string, number>();
    for (const { userId, seq, to, attempt } of log) {
      if (to !== 'in_progress' || attempt > 1) continue;
      assert.ok(seq > (last.get(userId) ?? 0));
      last.set(userId, seq);
    }
    assert.equal(last.size, USERS);
  });

  it(`delays no other user because of the one with ${BIG} jobs`, () => {
    const starts = log.filter(({ to }) => to === 'in_progress');
    const begun = new Set<string>();
    const lastFirst = starts.findIndex(({ userId }) => begun.add(userId).size === USERS);
    // Claims that run side by side may each give somebody a second turn.
    assert.ok(lastFirst < USERS * 1.1 + PROCESSES * SLOTS, `the last one began as number ${lastFirst}`);
  });

  it('leaves exact counts', async () => {
    const queue = createJobQueue({ db, clock: Date.now, runner: 'audit', onChanged: async () => {} });
    assert.equal(await queue.heal(), 0);
    const rest = await db
      .selectFrom('job_queues')
      .select('user_id')
      .where(sql<boolean>`waiting + running > 0`)
      .execute();
    assert.deepEqual(rest, []);
  });
});

function start(url: string, name: string, jobs: number): ChildProcess {
  return fork(RUNNER, [url, name, String(SLOTS), String(jobs)], { execArgv: [], stdio: 'inherit' });
}

async function untilExit(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
}

/** One user's many first, then as many of everybody else's in turn; returns how many each may run. */
async function fill(db: Db): Promise<Map<string, number>> {
  const [big = '', ...others] = await manyUsers(db, USERS);
  const owners = sql`select * from unnest(${[
    ...Array.from({ length: BIG }, () => big),
    ...Array.from({ length: JOBS - BIG }, (_, index) => others[index % others.length]),
  ]}::text[]) with ordinality as owner (user_id, place)`;
  await sql`insert into jobs (id, user_id, status, created_at, updated_at, attempt, outputs_count,
      previewable_outputs_count, output_types, hidden)
    select 'job ' || place, user_id, 'pending', 1, 1, 0, 0, 0, '', 0 from (${owners}) as owners order by place`.execute(
    db,
  );
  await sql`insert into job_requests (job_seq, graph, targets, node_order, extra_data)
    select seq, '{}', '[]', '[]', '{}' from jobs`.execute(db);
  const limits = new Map(
    [big, ...others].map((user, index) => [user, TIERS[(index + 2) % TIERS.length] ?? 1]),
  );
  await sql`insert into job_queues (user_id, waiting, running, max_running, last_started)
    select user_id, (select count(*) from jobs where jobs.user_id = lines.user_id), 0, max_running, 0
    from unnest(${[...limits.keys()]}::text[], ${[...limits.values()]}::bigint[]) as lines (user_id, max_running)`.execute(
    db,
  );
  await sql`analyze`.execute(db);
  return limits;
}

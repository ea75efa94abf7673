import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';

import { systemClock } from '../../../platform/clock.ts';
import { openPostgres } from '../../../platform/db/open-database.ts';
import { repeatEvery } from '../../../platform/repeat-every.ts';
import { Secret } from '../../../platform/secret.ts';
import { createJobQueue } from '../create-job-queue.ts';
import type { ClaimedJob } from '../job-queue.ts';
import { AN_END } from './an-end.ts';

/*
 * One of several processes that work off a queue: `runner-process.ts <url> <name> <slots> <jobs>`. After that many jobs
 * it holds what it claims until it gets a message, or is killed with it; with 0 it works until nothing is left.
 */

/** Long enough for a process that gets little of a busy machine: three lost leases would fail a job. */
const LEASE_MS = 10_000;
const [url = '', runner = '', ...numbers] = process.argv.slice(2);
const [slots = 1, jobs = 0] = numbers.map(Number);

const fail = (error: unknown): never => {
  console.error(error);
  process.exit(1);
};
// Nobody is left behind when the test ends before its time.
process.once('disconnect', () => process.exit(process.exitCode ?? 1));
const db = await openPostgres({ url: new Secret(url), poolSize: slots + 1, onLost: fail });
const queue = createJobQueue({
  db,
  clock: systemClock,
  runner,
  leaseMs: LEASE_MS,
  onChanged: async () => {},
});
const running = new Map<ClaimedJob, Promise<void>>();
const stops = [
  repeatEvery(LEASE_MS / 4, async () => void (await queue.renew([...running.keys()])), fail),
  repeatEvery(LEASE_MS / 6, async () => void (await queue.recover([...running.keys()])), fail),
];

const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
process.once('message', release);
let ended = 0;
let held = 0;

async function workOff(): Promise<void> {
  for (;;) {
    if (running.size === slots) await Promise.race(running.values());
    const job = await queue.claim();
    if (job) see(job);
    else if (await isAnythingLeft()) await delay(5);
    else return;
  }
}

function see(job: ClaimedJob): void {
  const seen = end(job)
    .catch(fail)
    .finally(() => running.delete(job));
  running.set(job, seen);
}

async function end(job: ClaimedJob): Promise<void> {
  if (jobs > 0 && ended >= jobs) {
    held += 1;
    if (held === slots) process.send?.('holding');
    await isReleased;
  }
  // Refused only when this process was too slow for its lease; then somebody else ends the job.
  await queue.finish(job, AN_END);
  ended += 1;
}

async function isAnythingLeft(): Promise<boolean> {
  const line = db.selectFrom('job_queues').select('user_id').where(sql<boolean>`waiting > 0 or running > 0`);
  return (await line.limit(1).executeTakeFirst()) !== undefined;
}

await workOff().catch(fail);
await Promise.all(running.values());
for (const stop of stops) await stop();
await db.destroy();
process.exitCode = 0;
process.disconnect?.();

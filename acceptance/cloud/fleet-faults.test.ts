import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isLongRun, PATIENCE_MS, startReplica } from '@atelier/testing';

import { type Fleet, startFleet } from '../support/fleet.ts';
import { startLoad } from '../support/fleet-load.ts';

/** Faults of full length take minutes. */
const ROUNDS = 20;
const long = { skip: isLongRun ? false : 'only in the long run', timeout: 4 * PATIENCE_MS };

describe('three servers and two workers on one PostgreSQL and one bucket, their clocks half a minute apart', () => {
  let started: Fleet | undefined;
  const fleet = (): Fleet => {
    assert.ok(started);
    return started;
  };
  before(async () => {
    started = await startFleet();
  });
  after(async () => await started?.[Symbol.asyncDispose]());

  test(`[JOB-22] lose nothing when each part is killed, ${ROUNDS} times`, {
    ...long,
    timeout: 12 * PATIENCE_MS,
  }, async () => {
    // Slowly, so that few jobs wait: each kill waits for those that met the one before.
    const load = await startLoad(fleet(), { pauseMs: 700 });
    const kills: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kill of [
        async () => await fleet().restartServer(round % 3, 'SIGKILL'),
        async () => await fleet().restartWorker(round % 2),
        async () => {
          await fleet().postgres.crash();
          await fleet().postgres.resume();
        },
      ]) {
        await load.more(6);
        // A job fails when it is lost three times, so no job may meet three kills.
        await load.ended(kills.at(-2) ?? 0);
        kills.push(load.jobs.size);
        await kill();
      }
    }
    await load.more(6);
    await load.settle();
  });

  test('[JOB-55] [JOB-56] restart one after the other, and no client repeats a request more than once', {
    timeout: 4 * PATIENCE_MS,
  }, async () => {
    const load = await startLoad(fleet());
    for (const index of fleet().servers.keys()) {
      await load.more(6);
      await fleet().restartServer(index);
    }
    await load.more(6);
    await load.settle();
    assert.ok(load.mostTries() <= 2, `a request took ${load.mostTries()} tries`);
  });

  test('[JOB-57] go on when the bucket answers 503, is slow, or sends half a file', {
    timeout: 4 * PATIENCE_MS,
  }, async () => {
    const load = await startLoad(fleet());
    const { s3 } = fleet();
    let asked = 0;
    for (const fault of [
      { kind: 'unavailable' },
      { kind: 'slow', ms: 2000 },
      { kind: 'truncated', bytes: 20 },
    ] as const) {
      s3.fault = () => {
        asked += 1;
        return asked % 3 === 0 ? undefined : fault;
      };
      await load.more(6);
    }
    s3.fault = () => undefined;
    assert.ok(asked > 0);
    await load.more(6);
    await load.settle();
  });

  test('[JOB-57] go on when connections to PostgreSQL are cut, or carry nothing any more', long, async () => {
    const load = await startLoad(fleet());
    const { database } = fleet();
    for (let round = 0; round < 5; round += 1) {
      await load.more(6);
      database.cut();
    }
    await load.more(6);
    database.freeze();
    await load.more(30);
    await load.settle();
  });

  test('[JOB-28] go on when PostgreSQL is away for 15 seconds', long, async () => {
    const load = await startLoad(fleet());
    await load.more(6);
    await fleet().postgres.pause();
    await delay(15_000);
    await fleet().postgres.resume();
    await load.more(12);
    await load.settle();
  });

  test('[JOB-29] go on when one of them stands still for a minute', long, async () => {
    const load = await startLoad(fleet());
    await load.more(6);
    const still = fleet().servers[1]?.process;
    still?.kill('SIGSTOP');
    await delay(60_000);
    still?.kill('SIGCONT');
    await load.more(12);
    await load.settle();
  });

  test('[JOB-29] go on when one of them is cut off from the network for half a minute', long, async (t) => {
    const [, host] = fleet().hosts;
    if (!host) {
      t.skip('this machine has no network namespaces');
      return;
    }
    const load = await startLoad(fleet());
    await load.more(6);
    await host.unplug();
    await delay(30_000);
    await host.plug();
    await load.more(12);
    await load.settle();
  });

  test('[JOB-28] go on when PostgreSQL dies and its replica takes over', long, async (t) => {
    const replica = await startReplica(fleet().postgres);
    t.after(replica.stop);
    const load = await startLoad(fleet());
    await load.more(12);
    await replica.takeOver();
    fleet().database.lead(replica.url);
    fleet().database.cut();
    await load.more(12);
    await load.settle();
  });
});

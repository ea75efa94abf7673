import { setTimeout as wait } from 'node:timers/promises';

import { type Db, engineOf } from '../platform/db/database.ts';
import { countRunningServers } from '../platform/db/running-servers.repo.ts';

/** A server that does not answer for so long does not hear what it is told either. */
const MEET_MS = 5000;
const LOOK_MS = 20;

export async function meetOthers(db: Db, countOthers: () => number): Promise<void> {
  if (engineOf(db) === 'sqlite') return;
  const until = performance.now() + MEET_MS;
  while (countOthers() < (await countRunningServers(db)) - 1 && performance.now() < until)
    await wait(LOOK_MS);
}

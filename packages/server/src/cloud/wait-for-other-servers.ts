import { setTimeout as wait } from 'node:timers/promises';

import { type Db, engineOf } from '../platform/db/database.ts';
import { countRunningServers } from '../platform/db/running-servers.repo.ts';

/** A server that is silent for this long receives no events either. */
const MAX_WAIT_MS = 5000;
const POLL_MS = 20;

export async function waitForOtherServers(db: Db, countOthers: () => number): Promise<void> {
  if (engineOf(db) === 'sqlite') return;
  const until = performance.now() + MAX_WAIT_MS;
  while (countOthers() < (await countRunningServers(db)) - 1 && performance.now() < until)
    await wait(POLL_MS);
}

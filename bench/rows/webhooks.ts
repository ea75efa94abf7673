import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { type Db, withTransaction } from '../../packages/server/src/platform/db/database.ts';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { createDeliveriesService } from '../../packages/server/src/webhooks/deliveries.service.ts';
import type { Bench, Row } from '../row.ts';
import { startSeeded } from '../servers.ts';

const DELIVERIES = 5000;
const DEADLINE_MS = 120_000;

export const rows: readonly Row[] = [
  { name: 'webhooks-drain', unit: '/s', bar: 500, measure: drainWebhooks },
];

/** How many deliveries a second reach one address of one account, of a server that starts with thousands of them due. */
async function drainWebhooks(bench: Bench): Promise<number> {
  const receiver = fork(join(import.meta.dirname, '../drivers/webhook-receiver.ts'), [String(DELIVERIES)]);
  bench.cleanUp.defer(() => void receiver.kill());
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const [{ url }] = (await once(receiver, 'message', { signal })) as [{ url: string }];
  const arrived = once(receiver, 'message', { signal }) as Promise<[{ ms: number }]>;
  // Waited for below, unless the server does not start.
  arrived.catch(() => {});
  const environment = { ATELIER_OUTBOUND_ALLOW: new URL(url).host };
  const seed = async (db: Db) => await withTransaction(db, async (tx) => await enqueueAll(tx, url));
  const { server } = await startSeeded(bench, { environment, seed });
  const [{ ms }] = await arrived;
  await server.stop();
  return (DELIVERIES / ms) * 1000;
}

/** Of the one account there is, each about something else, as it is with tasks. */
async function enqueueAll(tx: Db, url: string): Promise<void> {
  const { id: userId } = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const { enqueue } = createDeliveriesService({ db: tx, clock: systemClock, wake: () => {} });
  for (let n = 0; n < DELIVERIES; n += 1) {
    const id = newId();
    const body = JSON.stringify({ task_id: id, status: 'COMPLETED', generated: [] });
    await enqueue(tx, { userId, url, subject: `task:${id}`, type: 'task.completed', body });
  }
}

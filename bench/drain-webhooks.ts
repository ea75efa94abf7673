import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { systemClock } from '../packages/server/src/platform/clock.ts';
import { type Db, withTransaction } from '../packages/server/src/platform/db/database.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import { createDeliveriesService } from '../packages/server/src/webhooks/deliveries.service.ts';
import type { Bench } from './row.ts';
import { startSeeded } from './start-seeded.ts';

const DELIVERIES = 5000;
const DEADLINE_MS = 120_000;

/** What the receiver tells: from the first to the last. */
export interface Arrivals {
  readonly ms: number;
}

/** How many deliveries a second reach one address of one account, of a server that starts with thousands of them due. */
export async function drainWebhooks({ engine, cleanUp }: Bench): Promise<number> {
  const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [String(DELIVERIES)]);
  cleanUp.defer(() => void receiver.kill());
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const [{ url }] = (await once(receiver, 'message', { signal })) as [{ url: string }];
  const arrived = once(receiver, 'message', { signal }) as Promise<[Arrivals]>;
  // Waited for below, unless the server does not start.
  arrived.catch(() => {});
  const { server } = await startSeeded({
    engine,
    environment: { ATELIER_OUTBOUND_ALLOW: new URL(url).host },
    seed: async (db) => await withTransaction(db, async (tx) => await enqueue(tx, url)),
  });
  cleanUp.use(server);
  const [{ ms }] = await arrived;
  receiver.kill();
  await server.stop();
  return (DELIVERIES / ms) * 1000;
}

/** Of the one account there is, each about something else, as it is with tasks. */
async function enqueue(tx: Db, url: string): Promise<void> {
  const { id: userId } = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const deliveries = createDeliveriesService({
    db: tx,
    clock: systemClock,
    limit: { take: () => {} },
    wake: () => {},
  });
  for (let n = 0; n < DELIVERIES; n += 1) {
    const id = newId();
    const body = { task_id: id, status: 'COMPLETED', generated: [`https://example.org/files/${id}.png`] };
    await deliveries.enqueue(tx, {
      userId,
      url,
      subject: `task:${id}`,
      type: 'task.completed',
      body: JSON.stringify(body),
    });
  }
}

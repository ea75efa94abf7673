import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Db } from '../../packages/server/src/platform/db/database.ts';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { createDeliveriesService } from '../../packages/server/src/webhooks/deliveries.service.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { startOurs } from '../servers.ts';

const DELIVERIES = 5000;
const DEADLINE_MS = 120_000;

export const rows: readonly Row[] = [valueRow('webhooks-drain', '/s', 500, drainWebhooks)];

/** How many deliveries a second reach one address of one account, of a server that starts with thousands of them due. */
async function drainWebhooks(bench: Bench): Promise<number> {
  const arrivals = new Map<unknown, number>();
  const receiver = createServer((request, response) => {
    arrivals.getOrInsertComputed(request.headers['webhook-id'], () => performance.now());
    request.resume().once('end', () => response.writeHead(204).end());
  });
  bench.cleanUp.defer(() => void receiver.close());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const seed = async (tx: Db) => await enqueueAll(tx, `http://${host}/hook`);
  const server = await startOurs(bench, { environment: { ATELIER_OUTBOUND_ALLOW: host }, seed });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  while (arrivals.size < DELIVERIES) await wait(20, undefined, { signal });
  await server.stop();
  const span = Math.max(...arrivals.values()) - Math.min(...arrivals.values());
  return (DELIVERIES / span) * 1000;
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

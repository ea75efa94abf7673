import Fastify from 'fastify';

import { createEvents } from '../../packages/server/src/cloud/events/create-events.ts';
import type { UserEvent } from '../../packages/server/src/cloud/events/user-event.ts';
import { createInProcessBus } from '../../packages/server/src/platform/bus/in-process-bus.ts';
import type { App } from '../../packages/server/src/platform/http/route-config.ts';

/** Events a second for each user. */
const RATE = 10;
const USERS = Number(process.argv[2]);

/** The cloud's sockets, with everything behind them left out: users are their tokens, and their jobs only say progress. */
const fail = (error: unknown): never => {
  throw error;
};
const bus = createInProcessBus<UserEvent>(fail);
const nobody = async (): Promise<never> => await Promise.reject(new Error('there is only the token'));
const events = createEvents({
  bus,
  clock: Date.now,
  features: {},
  streamsPerUser: 100,
  publicUrl: undefined,
  recognize: async (userId) => ({ userId, email: '', name: '', role: 'user' }),
  authenticate: nobody,
  countsOf: async () => ({ waiting: 0, running: 0 }),
  keptEventsOf: async () => undefined,
  onError: fail,
});
const app = Fastify() as unknown as App;
app.decorateRequest('actor', undefined);
await events.routes(app);
// The driver says when all its sockets are open; only then is memory worth a look.
app.get('/open/:count', async (request) => {
  const { count } = request.params as { count: string };
  process.send?.({ open: Number(count) });
  return {};
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });

/** Not all users in the same instant, as people are not. */
for (let user = 0; user < USERS; user += 1) {
  setTimeout(() => setInterval(() => tell(`user-${user}`), 1000 / RATE), (user * 1000) / RATE / USERS);
}

function tell(userId: string): void {
  if (!bus.hasListeners(userId)) return;
  const at = performance.timeOrigin + performance.now();
  const data = JSON.stringify({
    value: 1,
    max: 2,
    prompt_id: '0190a1b2-0000-7000-8000-000000000001',
    node: '2',
    at,
  });
  bus.publish(userId, { kind: 'message', type: 'progress', jobId: userId, data, replaceable: true });
}

process.once('disconnect', () => process.exit());

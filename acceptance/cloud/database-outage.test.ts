import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS, type RunningServer, runOn, startPostgres, startServer } from '@atelier/testing';

import { newSubmitter, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const TERMINATE_ALL = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';

test('[JOB-28] [ADM-46] a busy server outlives lost connections and a restart of PostgreSQL, and loses and repeats nothing', {
  timeout: 2 * PATIENCE_MS,
}, async (t) => {
  const postgres = await startPostgres();
  t.after(postgres.stop);
  const receiver = await startReceiver();
  t.after(receiver.close);
  const server = await startServer({
    environment: {
      ...HOLDING,
      ATELIER_DATABASE_URL: postgres.url,
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
    },
  });
  t.after(async () => await server[Symbol.asyncDispose]());
  const { api, key } = await newSubmitter(server);
  const held = await runHeld(server, api);

  const load = submitAll(server, key, receiver.url('/hook'));
  for (let round = 0; round < 5; round += 1) {
    const before = load.accepted.size;
    await until('some jobs', () => load.accepted.size >= before + 5);
    await runOn(postgres.url, TERMINATE_ALL);
  }
  await postgres.pause();
  await held.letGo();
  const before = load.refused();
  await until('refusals', () => load.refused() >= before + 5);
  const { status, headers, body } = await api.get('/api/queue');
  assert.deepEqual([status, body['code'], headers.get('retry-after')], [503, 'server.database', '5']);
  const ready = await fetch(`${server.url}/ready`);
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /"database":\{"ok":false,"message":"The database does not answer\."\}/);
  await postgres.resume();
  const during = load.accepted.size;
  await until('jobs after the restart', () => load.accepted.size >= during + 5);
  await load.stop();

  for (const id of [...load.accepted, held.prompt_id]) assert.equal(await untilStatus(api, id), 'completed');
  const events = await fetch(`${server.url}/api/jobs/${held.prompt_id}/events`, {
    headers: { 'x-api-key': key },
  });
  assert.match(await events.text(), /^id: 1-\d+$/m);
  const heard = () => new Set(receiver.at('/hook').map(({ text }) => (JSON.parse(text) as Told).prompt_id));
  await until('every message', () => load.accepted.isSubsetOf(heard()));
});

interface Told {
  readonly prompt_id: string;
}

/** Three callers who submit one job after another. */
function submitAll(server: RunningServer, key: string, webhook: string) {
  const accepted = new Set<string>();
  let refused = 0;
  const over = new AbortController();
  const submitOne = async (): Promise<void> => {
    const answer = await fetch(`${server.url}/api/prompt`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: textWorkflow(), webhook_url: webhook }),
    });
    const body = (await answer.json()) as Told;
    if (answer.status === 200) accepted.add(body.prompt_id);
    else if (answer.status === 503 || answer.status === 429) refused += 1;
    else assert.fail(`${answer.status}: ${JSON.stringify(body)}`);
    if (answer.status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const callers = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) await submitOne();
  });
  const all = Promise.all(callers);
  // Reported by `stop`.
  all.catch(() => {});
  return {
    accepted,
    refused: () => refused,
    async stop() {
      over.abort();
      await all;
    },
  };
}

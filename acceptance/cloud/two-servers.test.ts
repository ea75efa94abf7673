import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { RunningServer } from '@atelier/testing';

import { newSubmitter, statusOf, submit } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { startPair } from '../support/second-server.ts';
import '../support/servers.ts';
import { newKey } from '../support/people.ts';
import { type Message, type Watcher, watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { failingWorkflow, textWorkflow } from '../support/workflows.ts';

describe('two servers on one PostgreSQL', () => {
  const releases: (() => Promise<void>)[] = [];
  let runs: RunningServer | undefined;
  let answers: { readonly url: string } | undefined;

  before(async () => {
    ({ runs, answers } = await startPair(HOLDING, releases));
  });
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });

  /** Somebody with a socket on each: A runs jobs, B only answers. */
  async function setUp() {
    if (!runs || !answers) throw new Error('the servers run only while tests do');
    const { api, key } = await newSubmitter(runs);
    const onA = await watch(runs.url, key);
    const onB = await watch(answers.url, key);
    return { a: runs, b: answers, key, onA, onB, api, apiOfB: client(answers.url, { apiKey: key }) };
  }

  test('[JOB-30] [JOB-31] sockets on both servers hear the whole life of each job once, and that nothing is left', async () => {
    const { api, apiOfB, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const jobs: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      jobs.push((await submit(api, textWorkflow())).prompt_id);
      jobs.push((await submit(apiOfB, failingWorkflow())).prompt_id);
    }
    for (const id of jobs) {
      await Promise.all([onA.end(id), onB.end(id)]);
      assert.deepEqual(lifeOf(onB, id), lifeOf(onA, id));
      const types = lifeOf(onB, id).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'execution_start').length, 1);
      assert.equal(types.filter((type) => /^execution_(?:success|error)$/.test(type)).length, 1);
      assert.equal(types.at(-1), 'executing');
    }
    for (const watcher of [onA, onB]) {
      await until('nothing is left', () => lastCount(watcher) === 0 || undefined);
    }
  });

  test('[JOB-30] who connects to one server in the middle of a job of the other learns where it is', async () => {
    const { a, b, key, api, onA, onB } = await setUp();
    using _a = onA;
    onB.socket.terminate();
    const job = await runHeld(a, api);
    await onA.find('the node that holds', ({ data }) => data['node'] === '3');
    using first = await watch(b.url, key);
    await first.find('the node it is at', ({ data }) => data['node'] === '3');
    await first.find('its state', ({ type }) => type === 'progress_state');
    using second = await watch(b.url, key);
    await second.find('the node it is at', ({ data }) => data['node'] === '3');
    await second.find('its state', ({ type }) => type === 'progress_state');
    await job.letGo();
    for (const watcher of [first, second]) {
      await watcher.end(job.prompt_id);
      assert.deepEqual(
        lifeOf(watcher, job.prompt_id).map(({ type }) => type),
        ['execution_start', 'executing', 'executed', 'execution_success', 'executing'],
      );
    }
    using late = await watch(b.url, key);
    const next = await submit(api, textWorkflow());
    await late.end(next.prompt_id);
    assert.deepEqual(late.about(job.prompt_id), []);
  });

  test('[JOB-38] who watches on the other server sees the work go on, a few times a second', async () => {
    const { a, api, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const path = join(a.dataFolder, 'enough-steps');
    const started = performance.now();
    const { prompt_id } = await submit(api, { '1': { class_type: 'TestSteps', inputs: { until: path } } });
    const isStep = ({ type, data }: Message) => type === 'progress' && data['prompt_id'] === prompt_id;
    await until('five steps on B', () => onB.messages().filter(isStep).length >= 5 || undefined);
    await until('a picture and a text on B', () => (binaryTypes(onB).size === 2 ? true : undefined));
    await writeFile(path, '');
    await Promise.all([onA.end(prompt_id), onB.end(prompt_id)]);
    const [ours, theirs] = [onA, onB].map((watcher) => watcher.messages().filter(isStep));
    const values = theirs?.map(({ data }) => Number(data['value'])) ?? [];
    assert.deepEqual(
      values,
      values.toSorted((one, other) => one - other),
    );
    assert.deepEqual(theirs?.at(-1), ours?.at(-1));
    const quarters = (performance.now() - started) / 250;
    assert.ok(values.length <= quarters + 2, `${values.length} steps in ${quarters} quarters of a second`);
    const last = onB.about(prompt_id).findLastIndex(({ type }) => type.startsWith('progress'));
    const end = onB.about(prompt_id).findIndex(({ type }) => type === 'execution_success');
    assert.ok(last < end, 'a step came after the end');
  });

  test('[JOB-44] a key that is revoked on one server ends its sockets on the other', async () => {
    const { a, b, key, api, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const { secret: kept } = await newKey(client(a.url, { apiKey: key }));
    using other = await watch(b.url, kept);
    const { body } = await api.get<{ api_keys: { id: string; key_prefix: string }[] }>('/customers/api-keys');
    const own = body.api_keys.find(({ key_prefix }) => key.startsWith(key_prefix));
    const codes: number[] = [];
    for (const { socket } of [onA, onB]) socket.on('close', (code) => codes.push(code));
    assert.equal((await api.delete(`/customers/api-keys/${own?.id}`)).status, 204);
    // Without being told, a server checks a socket a minute after it was opened, which is longer than this waits.
    await until('the end of both', () => codes.length === 2);
    assert.deepEqual(codes, [4001, 4001]);
    assert.equal(other.socket.readyState, other.socket.OPEN);
  });

  test('[JOB-24] cancelling on one server ends what the other runs, told once on each', async () => {
    const { a, api, apiOfB, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const { prompt_id } = await runHeld(a, api);
    await onB.find('the node that holds', ({ data }) => data['node'] === '3');
    const { body } = await apiOfB.post(`/api/jobs/${prompt_id}/cancel`);
    assert.deepEqual(body, { cancelled: true });
    assert.equal(await statusOf(api, prompt_id), 'cancelled');
    await Promise.all([onA.end(prompt_id), onB.end(prompt_id)]);
    // There is one runner: it is free again only when the server that ran the job has done with it.
    const next = await submit(api, textWorkflow());
    await Promise.all([onA.end(next.prompt_id), onB.end(next.prompt_id)]);
    for (const watcher of [onA, onB]) {
      const ends = lifeOf(watcher, prompt_id).slice(-2);
      assert.deepEqual(
        ends.map(({ type, data }) => [type, data['node']]),
        [
          ['execution_interrupted', undefined],
          ['executing', null],
        ],
      );
      assert.equal(watcher.messages('execution_interrupted').length, 1);
      assert.equal(lastCount(watcher), 0);
    }
  });

  test('[JOB-24] it ends there also when nobody watches on the server that runs it', async () => {
    const { a, api, apiOfB, onA, onB } = await setUp();
    using _b = onB;
    onA.socket.terminate();
    const { prompt_id } = await runHeld(a, api);
    await onB.find('the node that holds', ({ data }) => data['node'] === '3');
    assert.equal((await apiOfB.post(`/api/jobs/${prompt_id}/cancel`)).status, 200);
    const next = await submit(apiOfB, textWorkflow());
    await onB.end(next.prompt_id);
    assert.equal(onB.messages('execution_interrupted').length, 1);
    assert.equal(
      onB.messages('executing').filter(({ data }) => data['prompt_id'] === prompt_id && !data['node']).length,
      1,
    );
  });
});

/** All but steps of progress, which only the server that runs a job tells, and the notice of one that has waited. */
function lifeOf(watcher: Watcher, jobId: string) {
  return watcher.about(jobId).filter(({ type }) => !type.startsWith('progress') && type !== 'notification');
}

/** The types of the binary frames that came. */
function binaryTypes({ frames }: Watcher): Set<number> {
  return new Set(frames.flatMap((frame) => (Buffer.isBuffer(frame) ? [frame.readUInt32BE(0)] : [])));
}

function lastCount(watcher: Watcher): unknown {
  return watcher.messages('status').at(-1)?.data['queue_remaining'];
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AtelierError,
  JobCancelledError,
  type JobEvent,
  JobFailedError,
  loadWorkflow,
  WorkflowRefusedError,
} from '@atelier/sdk';
import { temporaryFolder } from '@atelier/testing';

import { adminClient, newClient, patience, rejection } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import {
  EDITOR_WORKFLOW,
  failingWorkflow,
  longWorkflow,
  pictureWorkflow,
  textWorkflow,
} from '../support/workflows.ts';

onAnyEngine('jobs of the client', (server) => {
  test('a job is submitted, watched and its outputs are saved', async () => {
    const atelier = await newClient(server.current);
    const workflow = loadWorkflow(pictureWorkflow({ prefix: 'sdk' })).set('EmptyImage.width', 48);
    const job = await atelier.jobs.submit(workflow, { inputs: { '1.height': 40 }, signal: patience() });
    const events: JobEvent[] = [];
    for await (const event of job.events({ signal: patience() })) events.push(event);
    const types = events.map(({ type }) => type).filter((type) => !type.startsWith('progress'));
    assert.deepEqual(types, [
      'execution_start',
      'execution_cached',
      'executing',
      'executing',
      'executed',
      'execution_success',
    ]);
    assert.ok(events.every(({ attempt }) => attempt === 1));

    const fractions: number[] = [];
    const result = await job.result({
      signal: patience(),
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    assert.equal(fractions.at(-1), 1);
    const [output] = result.outputs;
    assert.equal(output?.nodeId, '2');
    assert.equal(output.type, 'image/png');
    await using folder = await temporaryFolder();
    assert.equal(await output.saveTo(`${folder.path}/`), `${folder.path}/${output.name}`);
    const bytes = await output.download();
    assert.equal(bytes.length, output.size);
    const view = new DataView(bytes.buffer);
    assert.deepEqual([view.getUint32(16), view.getUint32(20)], [48, 40]);
    assert.deepEqual(await job.cancel(), false);
    assert.equal((await atelier.jobs.get(job.id)).status, 'completed');
  });

  test('run gives texts too, and a list goes over all pages', async () => {
    const atelier = await newClient(server.current);
    for (const text of ['one', 'two', 'three']) {
      const { values } = await atelier.jobs.run(textWorkflow(text), { signal: patience() });
      assert.deepEqual(values['2'], { text: [text] });
    }
    const found = await atelier.jobs.list({ pageSize: 1, status: ['completed', 'failed'] }).toArray();
    assert.equal(found.length, 3);
    assert.equal((await atelier.jobs.list({ pageSize: 1 }).toArray(2)).length, 2);
  });

  test('failures are classes: refused, failed, cancelled', async () => {
    const atelier = await newClient(server.current);
    const refused = await rejection(atelier.jobs.run({ '1': { class_type: 'NoSuchNode', inputs: {} } }));
    assert.ok(refused instanceof WorkflowRefusedError);
    assert.equal(refused.status, 400);
    assert.ok(refused.requestId);
    assert.equal(refused.isRetryable, false);

    const failed = await rejection(atelier.jobs.run(failingWorkflow(), { signal: patience() }));
    assert.ok(failed instanceof JobFailedError);
    assert.equal(failed.nodeId, '2');
    assert.equal(failed.nodeType, 'ImageToMask');

    const job = await atelier.jobs.submit(longWorkflow());
    assert.equal(await job.cancel(), true);
    assert.ok((await rejection(job.result({ signal: patience() }))) instanceof JobCancelledError);
  });

  test('a free account gets the error code that asks for a subscription', async () => {
    const atelier = await newClient(server.current, { tier: 'free' });
    const error = await rejection(atelier.jobs.submit(textWorkflow()));
    assert.ok(error instanceof AtelierError);
    assert.equal(error.code, 'cloud.subscription_required');
    assert.equal(error.status, 402);
  });

  test('the same idempotency key gives the same job', async () => {
    const atelier = await newClient(server.current);
    const workflow = textWorkflow();
    const [first, second] = [
      await atelier.jobs.submit(workflow, { idempotencyKey: 'order-1' }),
      await atelier.jobs.submit(workflow, { idempotencyKey: 'order-1' }),
    ];
    assert.equal(first.id, second.id);
    const error = await rejection(atelier.jobs.submit(textWorkflow(), { idempotencyKey: 'order-1' }));
    assert.ok(error instanceof AtelierError && error.code === 'cloud.key_reused');
  });

  test('a submission whose answer is lost is repeated under its key, and runs once', async () => {
    const keys: (string | null)[] = [];
    const atelier = await newClient(server.current, {
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (init?.method !== 'POST') return answer;
        keys.push(new Headers(init.headers).get('idempotency-key'));
        if (keys.length > 1) return answer;
        await answer.body?.cancel();
        throw new TypeError('fetch failed');
      },
    });
    await (await atelier.jobs.submit(textWorkflow())).result({ signal: patience() });
    assert.equal(keys.length, 2);
    assert.ok(keys[0]);
    assert.equal(keys[0], keys[1]);
    assert.equal((await atelier.jobs.list().toArray()).length, 1);
  });

  test('seeds of 64 bits stay exact', async () => {
    const atelier = await newClient(server.current);
    const workflow = loadWorkflow(
      JSON.stringify({
        1: { class_type: 'PrimitiveInt', inputs: { value: 1 } },
        2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      }).replace('"value":1', '"value":9223372036854775807'),
    );
    assert.equal(workflow.get('1.value'), 9223372036854775807n);
    const { values } = await atelier.jobs.run(workflow, { signal: patience() });
    assert.deepEqual(values['2'], { text: ['9223372036854775807'] });
  });

  test('a file of the editor can be set by the names of its widgets', async () => {
    const atelier = await newClient(server.current);
    assert.throws(() => loadWorkflow(EDITOR_WORKFLOW).set('1.width', 64), /atelier\.workflows\.load/);
    const workflow = await atelier.workflows.load(EDITOR_WORKFLOW);
    workflow.set('EmptyImage.width', 64).set('Keep.filename_prefix', 'other');
    const { outputs } = await atelier.jobs.run(workflow, { signal: patience() });
    assert.match(outputs[0]?.name ?? '', /^other_/);
    const view = new DataView((await outputs[0]?.download())?.buffer ?? new ArrayBuffer(24));
    assert.equal(view.getUint32(16), 64);
  });

  test('aborted calls throw the reason of their signal, also while they wait', async () => {
    const atelier = await newClient(server.current);
    const job = await atelier.jobs.submit(longWorkflow());
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = rejection(job.result({ signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 50);
    assert.equal(await waiting, reason);
    assert.equal(await rejection(atelier.jobs.get(job.id, { signal: AbortSignal.abort(reason) })), reason);
    await job.cancel();
  });

  test('the queue, the history and the account of an administrator show the job', async () => {
    const atelier = await newClient(server.current);
    const job = await atelier.jobs.submit(longWorkflow());
    const { running, pending } = await atelier.queue.get();
    assert.ok([...running, ...pending].some(({ id }) => id === job.id));
    assert.equal(await atelier.queue.remaining(), 1);
    const all = await adminClient(server.current).admin.jobs.list({ userId: atelier.userId }).toArray();
    assert.deepEqual(
      all.map(({ id }) => id),
      [job.id],
    );
    assert.deepEqual(await atelier.jobs.cancel([job.id]), [job.id]);
    assert.equal((await atelier.history.get(job.id))?.status.status_str, 'error');
    assert.equal((await atelier.history.list()).length, 1);
    await atelier.history.clear();
    assert.equal((await atelier.history.list()).length, 0);
  });
});

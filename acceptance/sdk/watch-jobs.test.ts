import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAtelier, type JobsEvent } from '@atelier/sdk';

import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { newClient, patience, rejection } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const textOf = (event: JobsEvent) => ('jobId' in event ? `${event.type} ${event.jobId}` : event.type);

onAnyEngine('the jobs of a user, watched', (server) => {
  test('[JOB-49] one stream has every job of the user, and no other user’s', async () => {
    const [own, other] = [await newClient(server.current), await newClient(server.current)];
    const stop = new AbortController();
    const events: JobsEvent[] = [];
    const watching = (async () => {
      for await (const event of own.jobs.watchAll({ signal: stop.signal })) events.push(event);
    })();
    const ended = rejection(watching);
    await until('the first message', () => events.some(({ type }) => type === 'status'));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['connected', 'status'],
    );
    const foreign = await other.jobs.run(textWorkflow(), { signal: patience() });
    const jobs = [await own.jobs.submit(textWorkflow()), await own.jobs.submit(textWorkflow())];
    for (const { id } of jobs) {
      await until('the end', () => events.some((event) => textOf(event) === `ended ${id}`));
      const told = events.filter((event) => 'jobId' in event && event.jobId === id).map(({ type }) => type);
      const kept = told.filter((type) => !type.startsWith('progress') && type !== 'notification');
      assert.deepEqual(kept, [
        'execution_start',
        'execution_cached',
        'executing',
        'executing',
        'executed',
        'execution_success',
        'ended',
      ]);
    }
    assert.ok(!events.some((event) => textOf(event).includes(foreign.id)));
    stop.abort(new Error('enough'));
    assert.equal(((await ended) as Error).message, 'enough');
  });

  test('[JOB-49] a lost connection is made again, and says so', async () => {
    await using proxy = await startCuttingProxy(server.current.url);
    const { key } = await newClient(server.current);
    const atelier = createAtelier({ url: proxy.url, apiKey: key });
    const stop = new AbortController();
    const events: JobsEvent[] = [];
    const watching = (async () => {
      for await (const event of atelier.jobs.watchAll({ signal: stop.signal })) events.push(event);
    })();
    const ended = rejection(watching);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    await until('the first message', () => count('status') === 1);
    proxy.cut();
    await until('the second connection', () => count('connected') === 2 && count('status') === 2);
    assert.ok(count('disconnected') >= 1);
    const { id } = await atelier.jobs.run(textWorkflow(), { signal: patience() });
    await until('the end', () => events.some((event) => textOf(event) === `ended ${id}`));
    stop.abort();
    await ended;
  });

  test('[JOB-49] a key that is not good is thrown at once', async () => {
    const atelier = createAtelier({ url: server.current.url, apiKey: 'comfyui-nobody' });
    const error = await rejection(Array.fromAsync(atelier.jobs.watchAll({ signal: patience() })));
    assert.equal((error as { status?: number }).status, 401);
  });
});

onAnyEngine('jobs with names and tags', (server) => {
  test('[CLD-32] jobs are found by the name of their workflow, by tags and by time', async () => {
    const atelier = await newClient(server.current);
    const run = async (workflowName?: string, tags?: readonly string[]) =>
      (await atelier.jobs.run(textWorkflow(), { workflowName, tags, signal: patience() })).detail;
    const portrait = await run('Portrait', ['red', 'final cut']);
    const other = await run('portrait', ['Red']);
    const plain = await run();
    assert.equal(portrait.workflow_name, 'Portrait');
    assert.deepEqual(portrait.tags, ['red', 'final cut']);
    assert.equal(plain.workflow_name, undefined);
    assert.equal(plain.tags, undefined);
    const found = async (filter: Parameters<typeof atelier.jobs.list>[0]) =>
      (await atelier.jobs.list(filter).toArray()).map(({ id }) => id);
    assert.deepEqual(await found({ workflowName: 'Portrait' }), [portrait.id]);
    assert.deepEqual(await found({ tags: ['red'] }), [portrait.id]);
    assert.deepEqual(await found({ tags: ['red', 'final cut'], status: 'completed' }), [portrait.id]);
    assert.deepEqual(await found({ tags: ['red', 'Red'] }), []);
    assert.deepEqual(await found({ tags: ['re_'] }), []);
    assert.deepEqual(await found({ from: new Date(plain.create_time) }), [plain.id]);
    assert.deepEqual(await found({ before: new Date(other.create_time) }), [portrait.id]);
    const [page] = await Array.fromAsync(atelier.jobs.list({ workflowName: 'portrait' }).pages());
    assert.equal(page?.pagination.total, 1);
  });

  test('[CLD-32] a tag with a comma, and too many of them, are refused', async () => {
    const atelier = await newClient(server.current);
    for (const tags of [
      ['a,b'],
      [''],
      [' a'],
      ['x'.repeat(65)],
      Array.from({ length: 21 }, (_, n) => `${n}`),
    ]) {
      const error = await rejection(atelier.jobs.submit(textWorkflow(), { tags }));
      assert.equal((error as { status?: number }).status, 400, JSON.stringify(tags));
    }
  });
});

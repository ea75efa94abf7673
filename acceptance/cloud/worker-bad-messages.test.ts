import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { encodePicture, WORKER_CLOSE } from '@atelier/contracts';

import { newSubmitter, type Submitter, submit, untilStatus } from '../support/cloud.ts';
import { cancelJobs, finishJob, giveJob, shownWorker, WORKFLOW } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  NODE_TYPES,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
} from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';

const BAD_FILES = [
  { filename: 'passwd', subfolder: '../../../etc', type: 'output' },
  { filename: '../x.png', type: 'temp' },
  { filename: 'nl\nx.png', subfolder: '', type: 'output' },
  { filename: 'half \ud800.png', subfolder: '', type: 'output' },
  { filename: 'x.png', subfolder: 'C:/x', type: 'output' },
  { filename: '', subfolder: '', type: 'input' },
];

function told(attempt: string, events: (story: ReturnType<typeof storyOf>) => readonly object[]) {
  const [jobId = ''] = attempt.split('/');
  return { type: 'events', attempt, number: 1, events: events(storyOf(jobId)) };
}

onAnyEngine(
  'what a worker may not say',
  (server) => {
    let ada: Submitter;
    let token = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token } = await newWorkerToken(server.current));
    });

    afterEach(async () => await cancelJobs(ada));

    const shown = async (worker: ScriptedWorker) => await shownWorker(server.current, worker);

    const given = async (worker: ScriptedWorker, by = ada) => await giveJob(worker, by);

    const badMessages: readonly (readonly [string, (attempt: string) => object | string | Uint8Array])[] = [
      ['text that is not JSON', () => 'no json'],
      ['JSON that is not an object', () => '[]'],
      ['an unknown message', () => ({ type: 'shutdown' })],
      ['a second hello', () => helloOf()],
      [
        'unsolicited node types',
        () => ({ type: 'node_types', hash: hash('sha256', NODE_TYPES), body: NODE_TYPES }),
      ],
      [
        'an end that does not follow from its events',
        (attempt) => ({ type: 'end', attempt, number: 1, outcome: storyOf('').outcome('') }),
      ],
      [
        'an interruption that was not requested',
        (attempt) => ({
          type: 'end',
          attempt,
          number: 1,
          outcome: { status: 'interrupted', outputs: {}, meta: {}, executed: [] },
        }),
      ],
      ['a malformed message', (attempt) => ({ type: 'events', attempt, number: 'one', events: [] })],
      [
        'an attempt that is not its own',
        () => ({ type: 'end', attempt: 'job/1', number: 1, outcome: storyOf('job').outcome('') }),
      ],
      [
        'a number that is too high',
        (attempt) => ({
          type: 'events',
          attempt,
          number: 7,
          events: [
            { type: 'progress', data: { prompt_id: attempt.split('/')[0], node: 'show', value: 1, max: 2 } },
          ],
        }),
      ],
      [
        'an event about another job',
        (attempt) => ({ type: 'events', attempt, number: 1, events: [storyOf('another').start] }),
      ],
      ['an event before the start', (attempt) => told(attempt, ({ executing }) => [executing])],
      ['a second start', (attempt) => told(attempt, ({ start }) => [start, start])],
      [
        'an event after the last one',
        (attempt) => told(attempt, ({ start, success, executing }) => [start, success, executing]),
      ],
      [
        'two events that each are the last one',
        (attempt) => told(attempt, ({ start, success }) => [start, success, success]),
      ],
      [
        'an event of an unknown kind',
        (attempt) => ({
          type: 'events',
          attempt,
          number: 1,
          events: [{ type: 'status', data: { prompt_id: attempt.split('/')[0] } }],
        }),
      ],
      ['a binary frame that is too short', () => new Uint8Array([0, 0, 1])],
      [
        'a preview that is too large',
        (attempt) =>
          encodePicture({ type: 'events', attempt, number: 1, events: [] }, new Uint8Array(9 * 2 ** 20)),
      ],
      [
        'an end of 30 MB',
        (attempt) => ({
          type: 'end',
          attempt,
          number: 1,
          outcome: storyOf('').outcome('a'.repeat(30_000_000)),
        }),
      ],
      [
        'an output that is nested 200 000 levels deep',
        (attempt) =>
          JSON.stringify({
            type: 'events',
            attempt,
            number: 1,
            events: [storyOf(attempt.split('/')[0] ?? '').executed('DEEP')],
          }).replace('"DEEP"', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
      ],
      ['more slots than any worker has', () => ({ type: 'ready', count: 1_000_000 })],
      ['more slots than it has', () => ({ type: 'ready', count: 2 })],
    ];
    for (const [what, make] of badMessages) {
      test(`[WRK-9] ${what} ends the connection with a reason, and the job runs elsewhere`, async () => {
        using worker = await connectWorker(server.current, token);
        const { jobId, attempt } = await given(worker);
        worker.say(make(attempt));
        const { code, reason } = await worker.closed();
        assert.equal(code, WORKER_CLOSE.protocol);
        assert.notEqual(reason, '');
        using other = await connectWorker(server.current, token);
        const again = await other.next('run');
        assert.equal(again.job.jobId, jobId);
        finishJob(other, { ...again, jobId, story: storyOf(jobId) });
        assert.equal(await untilStatus(ada.api, jobId), 'completed');
      });
    }

    for (const file of BAD_FILES) {
      test(`[WRK-30] the file ${JSON.stringify(file)} fails its job once, and the worker goes on with another user’s`, async () => {
        const bob = await newSubmitter(server.current);
        using worker = await connectWorker(server.current, token, {
          hello: helloOf({ slots: 2, ready: 2 }),
        });
        const held = await given(worker, bob);
        const output = { images: [file] };
        // An event names it, or only the end does.
        for (const first of [output, { text: ['hello'] }]) {
          const { jobId, attempt, story } = await given(worker);
          const events = [story.start, story.executedWith(first), story.success];
          worker.say({ type: 'events', attempt, number: 1, events });
          const outcome = { ...story.outcome(''), outputs: { show: output } };
          worker.say({ type: 'end', attempt, number: 2, outcome });
          worker.say({ type: 'ready', count: 1 });
          assert.equal(await untilStatus(ada.api, jobId), 'failed');
          const { body } = await ada.api.get(`/api/jobs/${jobId}`);
          const error = body['execution_error'] as Readonly<Record<string, string>>;
          assert.match(error['exception_message'] ?? '', /The node shows the file .*filename_prefix/);
          assert.deepEqual([error['node_id'], error['node_type']], ['show', 'PreviewAny']);
          assert.deepEqual((await shown(worker))?.errors, []);
        }
        finishJob(worker, held);
        assert.equal(await untilStatus(bob.api, held.jobId), 'completed');
      });
    }

    test('[WRK-10] a job whose outputs name a file that was never sent runs again', async () => {
      const output = { images: [{ filename: 'never_00001_.png', subfolder: '', type: 'output' }] };
      using worker = await connectWorker(server.current, token);
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      const story = storyOf(jobId);
      // An event names it, or only the end does.
      for (const shownBefore of [output, { text: ['hello'] }]) {
        const { attempt } = await worker.next('run');
        const events = [story.start, story.executedWith(shownBefore), story.success];
        worker.say({ type: 'events', attempt, number: 1, events });
        const outcome = { ...story.outcome(''), outputs: { show: output } };
        worker.say({ type: 'end', attempt, number: 2, outcome });
        worker.say({ type: 'ready', count: 1 });
      }
      const run = await worker.next('run');
      assert.equal(run.attempt, `${jobId}/3`);
      finishJob(worker, { ...run, jobId, story });
      assert.equal(await untilStatus(ada.api, jobId), 'completed');
      const { body } = await ada.api.get(`/api/jobs/${jobId}`);
      assert.equal(JSON.stringify(body).includes('never_00001_'), false);
      assert.match((await shown(worker))?.errors[0]?.message ?? '', /never_00001_\.png/);
    });

    test('[WRK-9] a message before hello, a frame beyond the limit and events after the end close the connection', async () => {
      using early = await connectWorker(server.current, token, { hello: null });
      early.say({ type: 'ready', count: 1 });
      assert.equal((await early.closed()).code, WORKER_CLOSE.protocol);
      using large = await connectWorker(server.current, token);
      const lost = await given(large);
      large.say(' '.repeat(33 * 2 ** 20));
      assert.equal((await large.closed()).code, 1009);
      assert.match(server.current.output(), /A frame cannot be read: Max payload size exceeded\./);
      {
        using other = await connectWorker(server.current, token);
        finishJob(other, { ...(await other.next('run')), jobId: lost.jobId, story: lost.story });
        assert.equal(await untilStatus(ada.api, lost.jobId), 'completed');
      }
      using late = await connectWorker(server.current, token);
      const job = await given(late);
      finishJob(late, job);
      late.say({ type: 'events', attempt: job.attempt, number: 3, events: [job.story.start] });
      assert.equal((await late.closed()).code, WORKER_CLOSE.protocol);
      assert.equal(await untilStatus(ada.api, job.jobId), 'completed');
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);

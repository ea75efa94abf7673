import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresDatabase, isLongRun, type RunningServer, startServer } from '@atelier/testing';

import { HOLDING, runHeld, submitHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { startSecond } from '../support/second-server.ts';
import '../support/servers.ts';
import {
  allFrames,
  checkFrames,
  createJob,
  type Frame,
  newV2Submitter,
  readFrames,
  readJob,
} from '../support/v2.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const TRIES = isLongRun ? 50 : 2;
/** Long enough for a kill to come before the start of the job, within it or after its end. */
const MAX_DELAY_MS = 400;

describe('the Comfy API v2 on two servers with one PostgreSQL', () => {
  const releases: (() => Promise<void>)[] = [];
  let runs: RunningServer | undefined;
  let environment: Record<string, string> = {};

  before(async () => {
    const database = await createPostgresDatabase();
    releases.push(database.drop);
    environment = { ...HOLDING, ATELIER_RUNNERS: '1', ATELIER_DATABASE_URL: database.url };
    const server = await startServer({ environment });
    releases.push(async () => await server[Symbol.asyncDispose]());
    runs = server;
  });
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });

  function first(): RunningServer {
    if (!runs) throw new Error('the servers run only while tests do');
    return runs;
  }

  test('[API-16] [API-20] a stream tells everything of a job that another server runs', async () => {
    const a = first();
    const person = await newV2Submitter(a);
    await using b = await startSecond(a, { ...environment, ATELIER_RUNNERS: '0' });
    const until = join(a.dataFolder, `let-go-${randomUUID()}`);
    const graph = { ...pictureWorkflow(), steps: { class_type: 'TestSteps', inputs: { until } } };
    const { id } = await createJob({ api: client(b.url, { bearer: person.key }) }, graph);
    const frames: Frame[] = [];
    const seen = new Set<string>();
    for await (const frame of readFrames(b.url, person.key, id)) {
      frames.push(frame);
      seen.add(frame.event);
      if (frame.event === 'progress') assert.equal(frame.data['nodes_total'], 3);
      if (seen.size === 4) await writeFile(until, '');
    }
    checkFrames(frames, 'succeeded');
    const { outputs } = await readJob(person, id);
    const told = frames.filter(({ event }) => event === 'output').map(({ data }) => data['id']);
    assert.deepEqual(
      told,
      outputs.map((output) => output.id),
    );
    checkFrames(await allFrames(b.url, person.key, id), 'succeeded');
    const held = await runHeld(a, person.api);
    const far = { api: client(b.url, { bearer: person.key }) };
    const reading = allFrames(b.url, person.key, held.prompt_id);
    assert.equal((await readJob(far, held.prompt_id)).status, 'running');
    assert.equal((await far.api.post(`/api/v2/jobs/${held.prompt_id}/cancel`)).status, 200);
    checkFrames(await reading, 'canceled');
  });

  test(`[API-20] a reader whose server is killed learns how the job ended, ${TRIES} times out of ${TRIES}`, async () => {
    const a = first();
    const person = await newV2Submitter(a);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // The server that takes a submission is the first to run it. Every second job of the long run loses its runner too.
      const runners = isLongRun && attempt % 2 === 1 ? '1' : '0';
      const b = await startSecond(a, { ...environment, ATELIER_RUNNERS: runners });
      const held = await submitHeld(a, runners === '1' ? client(b.url, { bearer: person.key }) : person.api);
      const letGo = wait(randomInt(MAX_DELAY_MS)).then(held.letGo);
      const kill = wait(randomInt(MAX_DELAY_MS)).then(async () => await b[Symbol.asyncDispose]());
      const last = await followThrough([b.url, a.url], person.key, held.prompt_id);
      assert.deepEqual(last.data, { status: 'succeeded', queue_position: null }, `try ${attempt}`);
      await Promise.all([letGo, kill]);
    }
  });
});

/** Reads at the first server, and from the first failure on at the second: to the last frame of the job. */
async function followThrough(urls: readonly string[], key: string, jobId: string): Promise<Frame> {
  for (const url of urls) {
    let last: Frame | undefined;
    try {
      for await (const frame of readFrames(url, key, jobId)) last = frame;
    } catch (error) {
      if (url === urls.at(-1)) throw error;
    }
    if (last?.event === 'status' && last.data['status'] === 'succeeded') return last;
  }
  throw new Error(`the stream of job ${jobId} ended without its last frame`);
}

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  isLongRun,
  type RunningServer,
  type ScriptedNats,
  startNats,
  startScriptedNats,
} from '@atelier/testing';

import { newSubmitter, submit } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { startPair } from '../support/second-server.ts';
import '../support/servers.ts';
import { type Watcher, watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const MISSED = 1012;

describe('two servers that speak over NATS', () => {
  const releases: (() => Promise<void>)[] = [];
  let nats: Pick<ScriptedNats, 'url' | 'close' | 'open'> | undefined;
  let runs: RunningServer | undefined;
  let answers: { readonly url: string } | undefined;

  before(async () => {
    nats = await (isLongRun ? startNats() : startScriptedNats());
    releases.push(nats.close);
    ({ runs, answers } = await startPair({ ...HOLDING, ATELIER_NATS_URL: nats.url }, releases));
  });
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });

  /** Somebody with a socket on each: A runs jobs, B only answers. */
  async function setUp() {
    if (!runs || !answers || !nats) throw new Error('the servers run only while tests do');
    const { api, key } = await newSubmitter(runs);
    return {
      a: runs,
      b: answers,
      nats,
      key,
      api,
      onA: await watch(runs.url, key),
      onB: await watch(answers.url, key),
    };
  }

  test('[JOB-30] sockets on both servers hear the whole life of each job once', async () => {
    const { b, key, api, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const apiOfB = client(b.url, { apiKey: key });
    for (const each of [api, apiOfB, api, apiOfB]) {
      const { prompt_id } = await submit(each, textWorkflow());
      await Promise.all([onA.end(prompt_id), onB.end(prompt_id)]);
      assert.deepEqual(lifeOf(onB, prompt_id), lifeOf(onA, prompt_id));
      assert.equal(lifeOf(onB, prompt_id).filter((type) => type === 'execution_success').length, 1);
    }
  });

  test('[JOB-38] [JOB-50] a picture of the other server comes once, in the layout that was asked for', async () => {
    const { a, b, key, api, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    using detailed = await watch(b.url, key, { flags: { supports_preview_metadata: true } });
    const path = join(a.dataFolder, 'enough-pictures');
    const { prompt_id } = await submit(api, { '1': { class_type: 'TestSteps', inputs: { until: path } } });
    await until('a picture for each', () => picturesOf(onB).length > 0 && picturesOf(detailed).length > 0);
    await writeFile(path, '');
    await Promise.all([onB, detailed].map(async (watcher) => await watcher.end(prompt_id)));
    const [plain, withMetadata] = [picturesOf(onB), picturesOf(detailed)];
    assert.deepEqual([...new Set(plain.map((frame) => frame.readUInt32BE(0)))], [1]);
    assert.deepEqual([...new Set(withMetadata.map((frame) => frame.readUInt32BE(0)))], [4]);
    const contents = withMetadata.map((frame) => frame.subarray(8 + frame.readUInt32BE(4)));
    assert.deepEqual(
      plain.map((frame) => frame.subarray(8)),
      contents.slice(-plain.length),
    );
  });

  test('[JOB-51] without NATS jobs still end; when it is back, sockets are asked to connect again and hear everything', async () => {
    const { a, b, nats: link, key, api, onA, onB } = await setUp();
    using _a = onA;
    using _b = onB;
    const codes: number[] = [];
    for (const { socket } of [onA, onB]) socket.on('close', (code) => codes.push(code));
    const job = await runHeld(a, api);
    await onB.find('the node that holds', ({ data }) => data['node'] === '3');
    await link.close();
    await until('the metric', async () => (await busIsOpen(a)) === '0');
    await job.letGo();
    await onA.end(job.prompt_id);
    await link.open();
    await until('the end of both sockets', () => codes.length === 2);
    assert.deepEqual(codes, [MISSED, MISSED]);
    assert.equal(await busIsOpen(a), '1');
    using again = await watch(b.url, key);
    const { prompt_id } = await submit(api, textWorkflow());
    await again.end(prompt_id);
  });
});

test('[JOB-52] a server whose NATS does not answer does not start, and says which setting to look at', async () => {
  const ended = await runToEnd({
    settings: {
      ATELIER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      ATELIER_NATS_URL: 'nats://user:hidden@127.0.0.1:1',
    },
  });
  assert.equal(ended.code, 1);
  assert.equal(
    ended.stderr,
    'atelier: ATELIER_NATS_URL: NATS at 127.0.0.1:1 does not answer (ECONNREFUSED).\n',
  );
});

/** The types of what was told of a job, but steps of progress and the notice of one that has waited. */
function lifeOf(watcher: Watcher, jobId: string): string[] {
  const types = watcher.about(jobId).map(({ type }) => type);
  return types.filter((type) => !type.startsWith('progress') && type !== 'notification');
}

function picturesOf({ frames }: Watcher): Buffer[] {
  return frames.filter(
    (frame): frame is Buffer => Buffer.isBuffer(frame) && [1, 4].includes(frame.readUInt32BE(0)),
  );
}

async function busIsOpen({ url }: RunningServer): Promise<string | undefined> {
  const { body } = await client(url).get<string>('/metrics');
  return /^atelier_bus_open (\d)$/m.exec(body)?.[1];
}

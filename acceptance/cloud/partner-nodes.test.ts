import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';

import { newSubmitter, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { filesWith } from '../support/files-with.ts';
import { client } from '../support/http-client.ts';
import { newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const prompt = { '1': { class_type: 'TestPartner', inputs: {} } };
const PACK = join(import.meta.dirname, '..', 'support', 'partner-pack');

onAnyEngine(
  'partner nodes',
  (server) => {
    for (const name of ['api_key_platform_org', 'api_key_comfy_org']) {
      test(`[JOB-11] the node gets the caller's own key from extra_data.${name}`, async () => {
        const { api, key } = await newSubmitter(server.current);
        const { status, body } = await api.post<{ outputs: Record<string, { text: string[] }> }>(
          '/api/prompt?wait=60',
          { prompt, extra_data: { [name]: key } },
        );
        assert.equal(status, 200);
        assert.deepEqual(body.outputs['1']?.text, [hash('sha256', key, 'hex')]);
      });
    }

    test('[JOB-11] without a key the node gets a credential that generates for the caller, does nothing else and ends with the job', async () => {
      const { api } = await newSubmitter(server.current);
      const answers: { status: string; outputs: Record<string, { text: [string, string, string] }> }[] = [];
      for (const extra_data of [undefined, {}, { api_key_platform_org: '' }]) {
        const wanted = { prompt: { '1': { class_type: 'TestPartnerCalling', inputs: {} } }, extra_data };
        answers.push((await api.post<(typeof answers)[0]>('/api/prompt?wait=60', wanted)).body);
      }
      for (const { status, outputs } of answers) {
        assert.equal(status, 'completed');
        const [generating, reading, hex] = outputs['1']?.text ?? [];
        // A task that is not there, but was looked for.
        assert.deepEqual([generating, reading], ['404', '401']);
        const apiKey = Buffer.from(hex ?? '', 'hex').toString();
        assert.match(apiKey, /^job_/);
        const later = client(server.current.url, { apiKey });
        assert.equal((await later.get(`/proxy/imagevendor/v1/ai/image-relight/${randomUUID()}`)).status, 401);
        assert.equal(server.current.output().includes(apiKey), false);
        assert.deepEqual(await filesWith(server.current.dataFolder, apiKey), []);
      }
    });

    test('[JOB-11] a wrong key or somebody else’s gets 403 and queues nothing', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      for (const extra_data of [
        { api_key_platform_org: 'atelier_wrong' },
        { api_key_platform_org: bob.key },
      ]) {
        const { status, body } = await ada.api.post<{ error: { type: string; details: string } }>(
          '/api/prompt',
          {
            prompt,
            extra_data,
          },
        );
        assert.equal(status, 403);
        assertShape(body, 'prompt');
        assert.equal(body.error.type, 'PARTNER_NODE_DISABLED');
        assert.match(body.error.details, /^TestPartner\w*$/);
      }
      const { body } = await ada.api.get<{ jobs: unknown[] }>('/api/jobs');
      assert.deepEqual(body.jobs, []);
    });

    test('[JOB-10] a node that repeats its key in what it says tells nobody', async () => {
      const { api, key } = await newSubmitter(server.current);
      using watcher = await watch(server.current.url, key);
      const answer = await api.post<{ prompt_id: string; execution_error: { exception_message: string } }>(
        '/api/prompt?wait=60',
        {
          prompt: { '1': { class_type: 'TestPartnerFailing', inputs: {} } },
          extra_data: { api_key_platform_org: key },
        },
      );
      assert.equal(answer.body.execution_error.exception_message, 'the call with [REDACTED] failed\n');
      await watcher.end(answer.body.prompt_id);
      const frames = watcher.frames.map((frame) =>
        Buffer.isBuffer(frame) ? frame.toString('latin1') : JSON.stringify(frame),
      );
      for (const text of [...frames, JSON.stringify(answer.body)]) assert.equal(text.includes(key), false);
      assert.deepEqual(await filesWith(server.current.dataFolder, key), []);
    });

    test('[JOB-10] a node that prints its key does not bring it into the log', async () => {
      const { api, key } = await newSubmitter(server.current);
      const { body } = await api.post<{ status: string }>('/api/prompt?wait=60', {
        prompt: { '1': { class_type: 'TestPartnerPrinting', inputs: {} } },
        extra_data: { api_key_platform_org: key },
      });
      assert.equal(body.status, 'completed');
      const printed = ["printed { key: '[REDACTED]' }", 'complained [REDACTED]', 'as bytes [REDACTED]'];
      await until('all of it is printed', () =>
        ['printed ', 'complained ', 'as bytes '].every((start) => server.current.output().includes(start)),
      );
      const output = server.current.output();
      assert.equal(output.includes(key), false);
      for (const line of printed) assert.ok(output.includes(line), line);
    });

    test('[JOB-11] a bearer token is not a key', async () => {
      const { api } = await newSubmitter(server.current);
      const person = await newPerson(server.current);
      const api_key_platform_org = await tokenOf(server.current, person);
      const { status } = await api.post('/api/prompt', { prompt, extra_data: { api_key_platform_org } });
      assert.equal(status, 403);
    });

    test('[JOB-10] the key is nowhere afterwards: not in answers, events, logs or the data folder', async () => {
      const { api, key } = await newSubmitter(server.current);
      using watcher = await watch(server.current.url, key);
      const answer = await api.post<{ prompt_id: string }>('/api/prompt', {
        prompt: { ...prompt, ...textWorkflow() },
        extra_data: { api_key_platform_org: key },
      });
      const { prompt_id } = answer.body;
      assert.equal(await untilStatus(api, prompt_id), 'completed');
      await watcher.end(prompt_id);
      const seen = [
        JSON.stringify(watcher.messages()),
        JSON.stringify((await api.get(`/api/jobs/${prompt_id}`)).body),
        JSON.stringify((await api.get(`/api/history/${prompt_id}`)).body),
        server.current.output(),
      ];
      for (const text of seen) assert.equal(text.includes(key), false);
      assert.deepEqual(await filesWith(server.current.dataFolder, key), []);
    });
  },
  { environment: { ATELIER_NODE_PACKS: PACK, ATELIER_LOG_LEVEL: 'trace' } },
);

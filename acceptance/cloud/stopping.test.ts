import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { beginRequest } from '../support/begun-request.ts';
import { type Finished, newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { onAnyEngine } from '../support/servers.ts';
import { textWorkflow } from '../support/workflows.ts';

const DEADLINE = { timeout: 2 * PATIENCE_MS };

onAnyEngine(
  'a server that stops while somebody waits for a job',
  (server) => {
    test(
      '[JOB-8] [JOB-37] answers at once how the job stands, and ends streams so that they can go on',
      DEADLINE,
      async () => {
        const { api, key } = await newSubmitter(server.current, 'standard');
        const held = await runHeld(server.current, api);
        const events = () => `${server.current.url}/api/jobs/${held.prompt_id}/events`;
        const stream = await fetch(events(), { headers: { 'x-api-key': key } });
        assert.equal(stream.status, 200);
        let text = '';
        const reading = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        const readMore = async (): Promise<boolean> => {
          const { done = true, value = '' } = (await reading?.read()) ?? {};
          text += value;
          return !done;
        };
        // A job is in progress from its claim on; its thread reports the start some milliseconds later.
        while (!text.includes('execution_start') && (await readMore()));
        // The account runs one job at a time, so this one waits.
        const prompt_id = randomUUID();
        const waiting = api.post<Finished>('/api/prompt?wait=300', { prompt: textWorkflow(), prompt_id });
        while ((await api.get(`/api/job/${prompt_id}/status`)).status === 404);

        assert.equal(await server.current.stop(), 0);
        const { status, body } = await waiting;
        assert.deepEqual([status, body.prompt_id, body.status], [200, prompt_id, 'pending']);
        while (await readMore());
        assert.match(text, /^id: 1-1\nevent: execution_start\n/m);
        assert.doesNotMatch(text, /execution_(?:success|error|interrupted)/);

        await server.restart();
        await held.letGo();
        const rest = await fetch(events(), { headers: { 'x-api-key': key } });
        assert.match(await rest.text(), /event: execution_success\n/);
        assert.equal(await untilStatus(client(server.current.url, { apiKey: key }), prompt_id), 'completed');
      },
    );
  },
  // Far beyond the deadline of a test, so that a server that waits without need fails the test.
  { environment: { ...HOLDING, ATELIER_STOP_SECONDS: '3600' } },
);

onAnyEngine(
  'a server that is stopped before a job could begin',
  (server) => {
    test('[JOB-22] begins nothing more, and the job is whole at the next start', DEADLINE, async () => {
      const { api, key } = await newSubmitter(server.current);
      // Keeps the stop from ending until long after the first thread is ready.
      const hanging = await beginRequest(server.current, 'POST /auth/token', { bodyBytes: 1000 });
      const { prompt_id } = await submit(api, textWorkflow());
      assert.equal(await server.current.stop(), 0);
      hanging.socket.destroy();
      assert.doesNotMatch(server.current.output(), /"level":"error"/);

      await server.restart();
      assert.doesNotMatch(server.current.output(), /"level":"error"/);
      assert.equal(await untilStatus(client(server.current.url, { apiKey: key }), prompt_id), 'completed');
      const events = await fetch(`${server.current.url}/api/jobs/${prompt_id}/events`, {
        headers: { 'x-api-key': key },
      });
      assert.match(await events.text(), /^id: 1-1\nevent: execution_start\n/m, 'it is the first try');
    });
  },
  { environment: { ATELIER_STOP_SECONDS: '3' } },
);

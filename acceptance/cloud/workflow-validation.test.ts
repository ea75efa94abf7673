import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

interface Ended {
  readonly status: string;
  readonly outputs: Readonly<Record<string, { readonly text: readonly string[] }>>;
  readonly execution_error?: { readonly exception_message: string; readonly node_id: string };
}

interface Refused {
  readonly node_errors: Readonly<
    Record<string, { readonly errors: readonly { readonly details: string }[] }>
  >;
}

describe('validating workflows', () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer({ environment: HOLDING });
  });
  after(async () => await server[Symbol.asyncDispose]());

  test('[JOB-13] a large workflow delays no other request while it is validated', async () => {
    const [ada, bob] = [await newSubmitter(server), await newSubmitter(server)];
    const long = { class_type: 'PreviewAny', inputs: { source: 'long'.repeat(30_000) } };
    const othersAreFirst = async (): Promise<boolean> => {
      const path = join(server.dataFolder, randomUUID());
      const prompt = { '1': { class_type: 'TestSlowCheck', inputs: { until: path } }, '2': long };
      let isAnswered = false;
      const large = submit(ada.api, prompt)
        .catch(() => undefined)
        .finally(() => {
          isAnswered = true;
        });
      await until('the check to begin', () => existsSync(`${path}.begun`));
      assert.equal((await bob.api.get('/health')).status, 200);
      await submit(bob.api, textWorkflow());
      const wereFirst = !isAnswered;
      await writeFile(path, '');
      const accepted = await large;
      if (!wereFirst || !accepted) return false;
      assert.equal(await untilStatus(ada.api, accepted.prompt_id), 'completed');
      return true;
    };
    // Again when the check met its deadline before the others were answered, as on a busy machine.
    for (let tries = 1; !(await othersAreFirst()); tries += 1) {
      assert.ok(tries < 20, 'others were answered after it');
    }
  });

  for (const [what, signal, message] of [
    ['throws', '', 'The signal is missing.'],
    ['ends its process', 'SIGKILL', 'The check of TestBadCheck ended its process.'],
  ] as const) {
    for (const [size, note] of [
      ['small', ''],
      ['large', 'x'.repeat(100_000)],
    ] as const) {
      test(`[JOB-47] a check of a pack that ${what} refuses its own ${size} workflow, and no other`, async () => {
        const [ada, bob] = [await newSubmitter(server), await newSubmitter(server)];
        const held = await runHeld(server, bob.api);
        const prompt = { '1': { class_type: 'TestBadCheck', inputs: { signal } } };
        const answer = await ada.api.post<Refused>('/api/prompt', { prompt, extra_data: { note } });
        assert.equal(answer.status, 400);
        assert.equal(answer.body.node_errors['1']?.errors[0]?.details, message);
        const path = join(server.dataFolder, randomUUID());
        await writeFile(path, '');
        await submit(ada.api, { '1': { class_type: 'TestSlowCheck', inputs: { until: path } } });
        await held.letGo();
        assert.equal(await untilStatus(bob.api, held.prompt_id), 'completed');
      });
    }
  }

  test('[JOB-2] a constant where only a link can be is accepted, and its node fails', async () => {
    const { api } = await newSubmitter(server);
    const prompt = { '1': { class_type: 'PreviewImage', inputs: { images: 'rgb' } } };
    const { status, body } = await api.post<Ended>('/api/prompt?wait=60', { prompt });
    assert.deepEqual([status, body.status, body.execution_error?.node_id], [200, 'failed', '1']);
    assert.match(body.execution_error?.exception_message ?? '', /images must be linked/);
  });

  test('[JOB-2] a number is what its input says, however it is written', async () => {
    const { api } = await newSubmitter(server);
    // As text: JavaScript would write the number in its own way.
    const body = `{"prompt": {
      "1": {"class_type": "PrimitiveFloat", "inputs": {"value": 100000000000000000}},
      "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
      "3": {"class_type": "PreviewAny", "inputs": {"source": 5.0}},
      "4": {"class_type": "PreviewAny", "inputs": {"source": 5}},
      "5": {"class_type": "PrimitiveString", "inputs": {"value": 5.0}},
      "6": {"class_type": "PreviewAny", "inputs": {"source": ["5", 0]}}}}`;
    const { body: ended } = await api.request<Ended>('POST', '/api/prompt?wait=60', { body });
    const texts = Object.entries(ended.outputs).map(([id, { text }]) => [id, text[0]]);
    assert.deepEqual(Object.fromEntries(texts), { '2': '1e+17', '3': '5.0', '4': '5', '6': '5.0' });
  });
});

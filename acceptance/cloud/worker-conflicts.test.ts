import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { WorkerConflict } from '@atelier/contracts';
import { createCatalogue, defineNode, describeNodes, int, output } from '@atelier/engine';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { admin } from '../support/people.ts';
import { connectWorker, helloOf, newWorkerToken } from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

interface Conflicts {
  readonly conflicts: readonly WorkerConflict[];
}

/** Node types of a worker that has an `EmptyImage` of its own; the category makes another hash. */
function redefined(category: string): string {
  const nodes = ['EmptyImage', 'OnlyHere'].map((type) =>
    defineNode({
      type,
      category,
      inputs: { surprise: int({ default: 1 }) },
      outputs: [output('IMAGE')],
      outputNode: true,
      run: () => assert.fail('it is only described'),
    }),
  );
  return describeNodes(createCatalogue([{ name: 'stranger', nodes }]));
}

onAnyEngine('a worker that redefines a built-in node type', (server) => {
  // Which one would win by the order of hashes differs.
  for (const category of ['a', 'b', 'c', 'd']) {
    test(`[WRK-27] changes nothing for others, gets no job with it, and is shown to administrators (${category})`, async () => {
      const ada = await newSubmitter(server.current);
      const infoOf = async (type: string) =>
        (await ada.api.get<Record<string, object>>(`/api/object_info/${type}`)).body[type];
      const before = await infoOf('EmptyImage');
      const { token } = await newWorkerToken(server.current);
      const nodeTypes = redefined(category);
      using worker = await connectWorker(server.current, token, {
        hello: helloOf({ name: 'stranger', slots: 8, ready: 8, nodeTypes: hash('sha256', nodeTypes) }),
        nodeTypes,
      });
      const conflict = await until('the conflict', async () => {
        const { body } = await admin(server.current).get<Conflicts>('/admin/workers/conflicts');
        return body.conflicts.find(({ others }) => others.some((each) => each.workers.includes('stranger')));
      });
      assert.equal(conflict.type, 'EmptyImage');
      assert.deepEqual(conflict.used, ['built-in']);
      assert.deepEqual(await infoOf('EmptyImage'), before);
      assert.ok(await infoOf('OnlyHere'), 'its other types count');
      const empty = {
        class_type: 'EmptyImage',
        inputs: { width: 8, height: 8, batch_size: 1, color: 0 },
      };
      const show = { class_type: 'PreviewImage', inputs: { images: ['1', 0] } };
      for (const _ of [1, 2, 3]) {
        const { prompt_id } = await submit(ada.api, { '1': empty, '2': show });
        assert.equal(await untilStatus(ada.api, prompt_id), 'completed');
      }
      const { prompt_id: only } = await submit(ada.api, {
        '1': { class_type: 'OnlyHere', inputs: { surprise: 1 } },
      });
      assert.equal((await worker.next('run')).job.jobId, only);
      await ada.api.post(`/api/jobs/${only}/cancel`);
      assert.equal(worker.received.filter(({ type }) => type === 'run').length, 1);
    });
  }
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { download, finish, newSubmitter, type Submitter, untilStatus } from '../support/cloud.ts';
import { type HeldJob, HOLDING, runHeld } from '../support/held-jobs.ts';
import { admin } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

/** A submission cannot have half a character, but a node can make one. */
const save = (prefix: string) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
  '2': {
    class_type: 'JsonExtractString',
    inputs: { json_string: JSON.stringify({ prefix }), key: 'prefix' },
  },
  '3': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: ['2', 0] } },
});

const IMPOSSIBLE = [
  'nl\nx',
  'a\u0000b',
  'deleted\u007f',
  'next\u0085line',
  'half \ud800',
  'tab\t/x',
  '../x',
  'a/../../x',
  '/x',
  'C:/x/y',
  'C:\\x\\y',
  'x'.repeat(250),
  `${'x'.repeat(256)}/x`,
  'é'.repeat(125),
  `${'d/'.repeat(510)}x`,
  'd/'.repeat(1500),
  'x'.repeat(5000),
];

const POSSIBLE = [
  'trailing dot.',
  'trailing space ',
  ' ',
  'line\u2028separator',
  'turned\u202ereversed',
  'e\u0301 and \u00e9',
  '🏳️‍🌈',
  '..',
  'CON',
  '-rf',
  'a:b*c?"<>|',
  'x'.repeat(240),
  `${'d/'.repeat(400)}x`,
];

onAnyEngine(
  'names that graphs choose for their files',
  (server) => {
    let ada: Submitter;
    let bob: Submitter;
    let held: HeldJob;
    const workers = async (): Promise<readonly string[]> => {
      const { body } = await admin(server.current).get<{ workers: { id: string }[] }>('/admin/workers');
      return body.workers.map(({ id }) => id);
    };
    before(async () => {
      [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      held = await runHeld(server.current, bob.api);
    });

    for (const prefix of IMPOSSIBLE) {
      test(`[WRK-30] ${shown(prefix)} fails its job with a sentence about filename_prefix`, async () => {
        const earlier = await workers();
        const { status, prompt_id } = await finish(ada.api, save(prefix));
        assert.equal(status, 'failed');
        const { body } = await ada.api.get(`/api/jobs/${prompt_id}`);
        const error = body['execution_error'] as Readonly<Record<string, string>>;
        assert.match(error['exception_message'] ?? '', /filename_prefix/);
        assert.equal(error['node_id'], '3');
        assert.deepEqual(await workers(), earlier);
      });
    }

    for (const prefix of POSSIBLE) {
      test(`[WRK-30] ${shown(prefix)} names a file`, async () => {
        const { status, outputs } = await finish(ada.api, save(prefix));
        assert.equal(status, 'completed');
        const [file] = outputs['3']?.['images'] ?? [];
        assert.ok(file);
        assert.ok((await download(ada.api, file)).length > 0);
      });
    }

    test('[WRK-30] the job of another user beside them has gone on', async () => {
      await held.letGo();
      assert.equal(await untilStatus(bob.api, held.prompt_id), 'completed');
      assert.doesNotMatch(server.current.output(), /a worker (?:is|has) disconnected|a worker was lost/);
    });
  },
  { environment: HOLDING },
);

function shown(prefix: string): string {
  const text = JSON.stringify(prefix);
  return text.length < 40 ? text : `${text.slice(0, 20)}… of ${prefix.length}`;
}

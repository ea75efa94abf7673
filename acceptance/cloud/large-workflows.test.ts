import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

test('[JOB-13] a large workflow keeps nobody waiting while it is judged', async () => {
  await using server = await startServer({ environment: HOLDING });
  const [ada, bob] = [await newSubmitter(server), await newSubmitter(server)];
  const path = join(server.dataFolder, randomUUID());
  const large = submit(ada.api, {
    '1': { class_type: 'TestSlowCheck', inputs: { until: path } },
    '2': { class_type: 'PreviewAny', inputs: { source: 'long'.repeat(30_000) } },
  });
  await until('the check to begin', () => existsSync(`${path}.begun`));
  assert.equal((await bob.api.get('/health')).status, 200);
  await submit(bob.api, textWorkflow());
  assert.equal(existsSync(`${path}.ended`), false, 'others were answered after it');
  await writeFile(path, '');
  const { prompt_id } = await large;
  assert.equal(await untilStatus(ada.api, prompt_id), 'completed');
});

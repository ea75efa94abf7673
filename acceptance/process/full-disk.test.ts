import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { onEachEngine } from '../support/servers.ts';
import { textWorkflow } from '../support/workflows.ts';

const PRELOAD = import.meta.resolve('../support/full-disk-preload.ts');

onEachEngine(
  'a server whose disk is full',
  (server) => {
    test('[JOB-27] says so to callers, to monitors and in its log, and goes on when there is room', async () => {
      const { url, dataFolder, output } = server.current;
      const flag = join(dataFolder, 'disk-is-full');
      const { api } = await newSubmitter(server.current);
      const upload = async () => {
        const body = new FormData();
        body.append('image', new Blob(['some bytes']), 'a.bin');
        return await api.request('POST', '/api/upload/image', { body });
      };
      /** What monitors see, once they see anything else than `OK`. */
      const sickness = async () => {
        const deadline = AbortSignal.timeout(PATIENCE_MS);
        for (;;) {
          const answer = await fetch(`${url}/health`, { signal: deadline });
          if (!answer.ok) return [answer.status, await answer.text()];
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      assert.equal((await api.get('/health')).body, 'OK');
      const held = await runHeld(server.current, api);

      await writeFile(flag, '');
      const { status, headers, body } = await upload();
      assert.deepEqual([status, body['code'], headers.get('retry-after')], [507, 'server.disk_full', '60']);
      assert.match(String(body['message']), /disk .* full/);
      assert.deepEqual(await sickness(), [503, 'The disk is full.']);
      assert.match(output(), /"code":"server\.disk_full".*ENOSPC/);
      if (server.engine === 'sqlite') {
        const refused = await api.post<{ error: { type: string } }>('/api/prompt', {
          prompt: textWorkflow(),
        });
        assert.deepEqual([refused.status, refused.body.error.type], [507, 'server.disk_full']);
        await held.letGo();
        assert.equal(await statusOf(api, held.prompt_id), 'in_progress');
      }

      await rm(flag);
      await held.letGo();
      assert.equal(await untilStatus(api, held.prompt_id), 'completed');
      assert.equal((await upload()).status, 200);
      const { prompt_id } = await submit(api, textWorkflow());
      assert.equal(await untilStatus(api, prompt_id), 'completed');
    });
  },
  { environment: { ...HOLDING, NODE_OPTIONS: `--import ${PRELOAD}` } },
);

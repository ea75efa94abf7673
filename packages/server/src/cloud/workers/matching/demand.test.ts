import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { aUser } from '../../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { aJob } from '../../jobs/test/a-job.ts';
import { createAbilities } from './abilities.ts';
import { createDemandTracker } from './demand.ts';
import type { JobNeeds } from './job-needs.ts';

const NOW = 1_000_000;
const TYPES: Record<string, readonly string[]> = { plain: ['Load'], packs: ['Load', 'Upscale'] };
const comfyui = { kind: 'comfyui', labels: ['comfyui'], memoryBytes: 1, slots: 2 } as const;
const first = { ...comfyui, name: 'first', nodeTypes: 'plain', models: { checkpoints: ['a.ckpt'] } };
const second = { ...comfyui, name: 'second', nodeTypes: 'packs', models: { checkpoints: ['b.ckpt'] } };
const load: JobNeeds = { kind: 'comfyui', nodeTypes: ['Load'], labels: [] };
const NEEDS: Record<string, JobNeeds> = {
  load,
  a: { ...load, models: ['a.ckpt'] },
  b: { ...load, models: ['b.ckpt'] },
  upscale: { ...load, nodeTypes: ['Upscale'] },
};

onEachDatabase('how long jobs would wait for workers with a label', (db) => {
  let userId = '';
  beforeEach(async () => {
    await db().deleteFrom('jobs').execute();
    ({ id: userId } = await aUser(db()));
  });

  /** Jobs of these needs, each of which takes a second. */
  async function wait(needs: string, count: number, seconds: number): Promise<void> {
    await aJob(db(), { user_id: userId, needs });
    for (let n = 0; n < count; n += 1)
      await aJob(db(), { user_id: userId, needs, status: 'pending', created_at: NOW - seconds * 1000 });
  }

  async function measure(...workers: (typeof first)[]) {
    const { isAble } = createAbilities({
      clock: () => NOW,
      known: () => new Map(),
      hasNodeType: (hash, type) => TYPES[hash]?.includes(type) ?? false,
    });
    const { labels } = await createDemandTracker({
      db: db(),
      clock: () => NOW,
      needsOf: async (key) => NEEDS[key ?? ''] ?? load,
      offers: () => workers,
      isAble,
      tokenLabels: async () => [],
    }).measure();
    return labels.find(({ label }) => label === 'comfyui');
  }

  for (const needs of ['b', 'upscale']) {
    it(`[WRK-19] grows while no worker can run them, even if workers are idle (${needs})`, async () => {
      await wait(needs, 7, 21);
      await wait('a', 2, 500);
      const found = { label: 'comfyui', waiting_jobs: 9, oldest_seconds: 500 };
      assert.deepEqual(await measure(first), { ...found, slots: 2, waiting_seconds: 21 });
      assert.deepEqual(await measure(first, second), { ...found, slots: 4, waiting_seconds: 4 });
    });
  }

  it('[WRK-19] is that of the busiest workers', async () => {
    await wait('a', 12, 1);
    await wait('b', 2, 1);
    assert.equal((await measure(first, second))?.waiting_seconds, 6);
    await wait('load', 30, 1);
    assert.equal((await measure(first, second))?.waiting_seconds, 11);
  });
});

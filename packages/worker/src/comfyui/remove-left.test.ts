import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedComfyUi } from '@atelier/testing';

import { executorAt, until } from './test/run-at-scripted.ts';

const ID = '0198f6b4-0000-4000-8000-000000000001';

test('a worker that comes back stops and removes only the prompts that it left behind', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    if (prompt.extraData['ends']) prompt.end();
  });
  await using first = await executorAt(comfy);
  first.executor.ownedBy?.('server worker');
  const running = first.run({ jobId: ID });
  running.catch(() => {});
  await until(() => comfy.running.has(ID));
  const mark = comfy.running.get(ID)?.extraData['atelier_worker'];
  const post = async (prompt_id: string, extra_data: object) =>
    await fetch(`${comfy.url}/prompt`, {
      method: 'POST',
      body: JSON.stringify({ prompt_id, prompt: {}, extra_data }),
    });
  await post('ended', { atelier_worker: mark, ends: true });
  await post('mine', {});
  await post('ended-too', { atelier_worker: 'another', ends: true });
  await using second = await executorAt(comfy);
  second.executor.ownedBy?.('server worker');
  await until(() => !comfy.running.has(ID) && !comfy.history.has(ID) && !comfy.history.has('ended'));
  assert.deepEqual([...comfy.running.keys()], ['mine']);
  assert.deepEqual([...comfy.history.keys()], ['ended-too']);
});

test('a worker that ends stops its prompts', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  const at = await executorAt(comfy);
  const running = at.run({ jobId: ID });
  running.catch(() => {});
  await until(() => comfy.running.has(ID));
  await at[Symbol.asyncDispose]();
  assert.equal(comfy.running.size, 0);
});

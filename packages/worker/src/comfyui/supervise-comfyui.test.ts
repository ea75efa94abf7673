import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ScriptedPrompt, startScriptedComfyUi } from '@atelier/testing';

import { AttemptLost } from '../executor.ts';
import { executorAt, until } from './test/run-at-scripted.ts';

test('after a device error the attempt is lost, and ComfyUI gets no job until it is restarted', async () => {
  const failure = { exception_type: 'RuntimeError', exception_message: 'CUDA error: illegal memory access' };
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end('error', failure));
  await using at = await executorAt(comfy);
  await assert.rejects(at.run(), (error) => error instanceof AttemptLost && error.why.cause === 'device');
  assert.equal(at.executor.ready(), 0);
  assert.match(at.logged.join('\n'), /Restart ComfyUI/);
  for (const socket of comfy.sockets.values()) socket.terminate();
  await until(() => at.executor.ready() === 1, 'the end of the quarantine');
});

test('an error that only quotes a device error or full memory is an error of its job', async () => {
  const quotes = [
    ['Exception', 'Saving image outside the output folder: /CUDA error: x/a'],
    ['RuntimeError', 'No file out of memory.png'],
    ['Exception', 'CUDA out of memory'],
  ] as const;
  for (const [exception_type, exception_message] of quotes) {
    const failure = { exception_type, exception_message };
    await using comfy = await startScriptedComfyUi((prompt) => prompt.end('error', failure));
    await using at = await executorAt(comfy);
    assert.partialDeepStrictEqual((await at.run()).outcome.error, failure);
    assert.equal(at.executor.ready(), 1);
  }
});

test('facts are its GPUs, its memory and its models, and changes are announced', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end());
  await using at = await executorAt(comfy);
  assert.deepEqual(at.executor.facts(), {
    memoryBytes: 500,
    gpus: [{ name: 'cuda:0', memoryBytes: 500 }],
    models: { checkpoints: ['a.safetensors'] },
  });
  comfy.state.models = { checkpoints: ['a.safetensors', 'b.safetensors'] };
  // A reconnect is a reason to look at once.
  for (const socket of comfy.sockets.values()) socket.terminate();
  await until(() => at.changes.count === 1, 'the change');
  assert.deepEqual(at.executor.facts().models, comfy.state.models);
  // At the start and after the lost socket: it keeps ComfyUI busy, and newer ones scan their disks for it.
  assert.equal(comfy.routes().filter((route) => route === 'GET /object_info').length, 2);
});

test('a ComfyUI that does not begin its job is hung, and gets no other one until that is over', async () => {
  let stuck: ScriptedPrompt | undefined;
  let count = 0;
  await using comfy = await startScriptedComfyUi((prompt) => {
    count += 1;
    if (count === 1) prompt.end();
    else stuck = prompt;
  });
  await using at = await executorAt(comfy);
  await at.run();
  comfy.state.isDead = true;
  const first = at.run();
  const next = at.run();
  // Nothing of it has begun, so it goes back and counts for nothing.
  next.catch(() => {});
  await assert.rejects(
    first,
    (error) =>
      error instanceof AttemptLost && error.why.cause === 'crash' && /does not begin/.test(error.message),
  );
  await assert.rejects(next, (error) => error instanceof AttemptLost && error.why.cause === 'returned');
  assert.equal(count, 2, 'the next job was not given to a hung ComfyUI');
  assert.equal(at.executor.ready(), 0);
  assert.match(at.logged.join('\n'), /Restart it\. Until then it gets no job/);
  comfy.state.isDead = false;
  await until(() => at.executor.ready() === 1, 'the end of the quarantine');
  assert.ok(stuck && !comfy.running.has(stuck.id), 'the job that runs elsewhere by now was stopped');
});

test('the cache is cleared after each job with --clear-cache', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => setTimeout(() => prompt.end(), 100));
  await using at = await executorAt(comfy, { clearsCache: true });
  await at.run();
  assert.deepEqual(
    comfy.requests.filter(({ route }) => route === 'POST /free').map(({ body }) => body),
    ['{"free_memory":true}'],
  );
});

test('its free memory is reported as it changes, and its problem when it has ended', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  const device = { name: 'cuda:0', type: 'cuda', vram_total: 500 };
  const statsWith = (free: number) => ({
    system: { comfyui_version: '0.7.0', ram_total: 1000, ram_free: 100, argv: [] },
    devices: [{ ...device, vram_free: free }],
  });
  comfy.state.stats = statsWith(400);
  await using at = await executorAt(comfy);
  const status = { ram: { totalBytes: 1000, freeBytes: 100 }, gpus: [{ freeBytes: 400 }] };
  assert.deepEqual(at.statuses, [status]);
  comfy.state.stats = statsWith(30);
  await until(() => at.statuses.length === 2);
  assert.deepEqual(at.statuses[1], { ...status, gpus: [{ freeBytes: 30 }] });
  await comfy[Symbol.asyncDispose]();
  await until(() => at.statuses.at(-1)?.problem === 'ComfyUI has ended.');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedComfyUi } from '@atelier/testing';

import { createComfyClient } from './comfyui-client.ts';
import { readMachine, readModels, readNodeTypes } from './describe-comfyui.ts';
import { foldersOf } from './remove-files.ts';

test('an address without a usable ComfyUI is refused with one sentence', async () => {
  const comfy = await startScriptedComfyUi(() => {});
  const client = createComfyClient(comfy.url);
  const system = { comfyui_version: '0.7.0', ram_total: 1, argv: [] };
  const cases: [stats: object, sentence: RegExp][] = [
    [{ hello: 'world' }, /is not a ComfyUI/],
    [{ system: { ...system, comfyui_version: '0.6.9' } }, /too old \(0\.6\.9\)\. Update/],
    [{ system: { ram_total: 1 } }, /too old\. Update/],
  ];
  for (const [stats, sentence] of cases) {
    comfy.state.stats = stats;
    await assert.rejects(readMachine(client), { name: 'Unusable', message: sentence });
  }
  comfy.state.stats = { system: { ...system, comfyui_version: '0.38.1' } };
  const free = { ram: { totalBytes: 1, freeBytes: 0 }, gpus: [] };
  const machine = { gpus: [], memoryBytes: 1, argv: [], installation: undefined, free };
  assert.deepEqual(await readMachine(client), machine);
  comfy.state.stats = { system: { ...system, installation_id: 'mine' } };
  assert.deepEqual(await readMachine(client), { ...machine, installation: 'mine' });
  for (const [status, sentence] of [
    [401, /needs a password/],
    [404, /is not a ComfyUI/],
    [302, /sends callers elsewhere \(302\)/],
  ] as const) {
    comfy.state.status = status;
    await assert.rejects(readMachine(client), { name: 'Unusable', message: sentence });
  }
  comfy.state.status = 401;
  comfy.state.refusal = { code: 'auth.required' };
  await assert.rejects(readMachine(client), { name: 'Unusable', message: /is an Atelier server/ });
  await assert.rejects(readMachine(createComfyClient(comfy.url.replace('http:', 'https:'))), {
    name: 'Unusable',
    message: /does not speak TLS/,
  });
  await comfy[Symbol.asyncDispose]();
  await assert.rejects(readMachine(client), {
    name: 'Unusable',
    message: /No ComfyUI answers at .* \(ECONNREFUSED\)\. Start it first/,
  });
});

test('all GPUs are reported as newer versions list them, and the first one decides what fits', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  const device = (index: number, vram_total: number) => ({ name: `cuda:${index}`, type: 'cuda', vram_total });
  comfy.state.stats = {
    system: { comfyui_version: '0.38.1', ram_total: 1, argv: [] },
    devices: [device(0, 24), device(1, 80), { name: 'cpu', type: 'cpu', vram_total: 500 }],
  };
  const { gpus, memoryBytes } = await readMachine(createComfyClient(comfy.url));
  assert.deepEqual(gpus, [
    { name: 'cuda:0', memoryBytes: 24 },
    { name: 'cuda:1', memoryBytes: 80 },
  ]);
  assert.equal(memoryBytes, 24);
});

test('node types that are larger than 32 MB are not read', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  comfy.state.objectInfo = { A: { description: 'x'.repeat(33 * 2 ** 20) } };
  const message = `The node types of the ComfyUI at ${comfy.url} are too large. ComfyUI sent more than 32 MB.`;
  await assert.rejects(readNodeTypes(createComfyClient(comfy.url)), { name: 'Unusable', message });
});

test('models are listed by folder, without the folders that have none', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  comfy.state.models = { loras: ['sub/b.safetensors'], custom_nodes: ['x.py'], configs: ['y.yaml'] };
  assert.deepEqual(await readModels(createComfyClient(comfy.url)), { loras: ['sub/b.safetensors'] });
});

test('the folders of a ComfyUI are where its arguments say', () => {
  assert.deepEqual(foldersOf('/comfy', ['main.py']), {
    input: '/comfy/input',
    output: '/comfy/output',
    temp: '/comfy/temp',
  });
  const argv = ['main.py', '--base-directory=/data', '--output-directory', 'out', '--temp-directory', '/t'];
  assert.deepEqual(foldersOf('/comfy', argv), {
    input: '/data/input',
    output: '/comfy/out',
    temp: '/t/temp',
  });
});

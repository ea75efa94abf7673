import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SavedFile } from '@atelier/nodes/save-path';
import { startScriptedComfyUi } from '@atelier/testing';

import { AttemptLost } from '../executor.ts';
import { executorAt, until } from './test/run-at-scripted.ts';

const ID = '7d0b3f3e-1c1a-4a52-9f4f-2f7b8a6f0001';

test('a job is submitted under its own id, with the client id of the socket, and history is deleted', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    prompt.say('execution_start', { timestamp: 1 });
    prompt.end();
  });
  await using at = await executorAt(comfy);
  const extraData = { api_key_comfy_org: 'secret', client_id: 'user', extra_pnginfo: { workflow: { a: 1 } } };
  const { outcome, types } = await at.run({ jobId: ID, extraData });
  assert.equal(outcome.status, 'success');
  assert.deepEqual(types, ['execution_start', 'execution_cached', 'execution_success']);
  const { body } = comfy.requests.find(({ route }) => route === 'POST /prompt') ?? { body: '{}' };
  const sent = JSON.parse(body) as Record<string, unknown>;
  assert.equal(sent['prompt_id'], ID);
  assert.ok(comfy.sockets.has(String(sent['client_id'])));
  assert.deepEqual(sent['extra_data'], { extra_pnginfo: { workflow: { a: 1 } } });
  await until(() => comfy.history.size === 0);
});

test('a second attempt, and a job whose id is not a UUID, get a new id', async () => {
  const ids: string[] = [];
  await using comfy = await startScriptedComfyUi((prompt) => {
    ids.push(prompt.id);
    prompt.end();
  });
  await using at = await executorAt(comfy);
  const { events } = await at.run({ jobId: ID });
  assert.ok(events.every(({ data }) => data.prompt_id === ID));
  const again = await at.run({ jobId: ID });
  await at.run({ jobId: 'JOB-1' });
  assert.ok(again.events.every(({ data }) => data.prompt_id === ID));
  assert.equal(ids[0], ID);
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('an earlier attempt that still runs at ComfyUI is stopped, and its id is not used again', async () => {
  const ids: string[] = [];
  await using comfy = await startScriptedComfyUi((prompt) => {
    ids.push(prompt.id);
    if (ids.length > 1) prompt.end();
  });
  await fetch(`${comfy.url}/prompt`, { method: 'POST', body: JSON.stringify({ prompt_id: ID, prompt: {} }) });
  await until(() => ids.length === 1);
  await using at = await executorAt(comfy);
  const { outcome } = await at.run({ jobId: ID });
  assert.equal(outcome.status, 'success');
  assert.notEqual(ids[1], ID);
  assert.equal(comfy.running.size, 0);
});

test('a lost answer to a submission is decided by asking: a job that arrived goes on', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end(), {
    submit(_prompt, answer) {
      answer.destroy();
      return 'answered';
    },
  });
  await using at = await executorAt(comfy);
  assert.equal((await at.run()).outcome.status, 'success');
  assert.equal(comfy.routes().filter((route) => route === 'POST /prompt').length, 1);
});

test('a lost answer to a submission is decided by asking: a job that did not arrive is lost, never sent again', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end(), {
    submit(_prompt, answer) {
      answer.destroy();
      return 'not taken';
    },
  });
  await using at = await executorAt(comfy);
  await assert.rejects(at.run(), (error) => error instanceof AttemptLost && error.why.cause === 'crash');
  assert.equal(comfy.routes().filter((route) => route === 'POST /prompt').length, 1);
});

const NODE_ERRORS = {
  '4': {
    class_type: 'CheckpointLoaderSimple',
    errors: [
      { type: 'value_not_in_list', message: 'Value not in list', details: "ckpt_name: 'x' not in []" },
    ],
  },
};

test('a validation error of ComfyUI is the error of the job, with the errors of its nodes', async () => {
  await using comfy = await startScriptedComfyUi(() => {}, {
    submit(_prompt, answer) {
      const error = {
        type: 'prompt_outputs_failed_validation',
        message: 'Prompt outputs failed validation',
        details: '',
      };
      answer.writeHead(400).end(JSON.stringify({ error, node_errors: NODE_ERRORS }));
      return 'not taken';
    },
  });
  await using at = await executorAt(comfy);
  const { outcome, types } = await at.run();
  assert.deepEqual(types, ['execution_start', 'execution_error']);
  assert.equal(outcome.error?.node_id, '4');
  assert.equal(outcome.error?.node_type, 'CheckpointLoaderSimple');
  assert.match(
    outcome.error?.exception_message ?? '',
    /Prompt outputs failed validation\nNode 4 .*ckpt_name: 'x'/,
  );
});

test('an accepted prompt with node errors fails and is cancelled', async () => {
  await using comfy = await startScriptedComfyUi(() => {}, {
    submit(prompt, answer) {
      answer.end(JSON.stringify({ prompt_id: prompt.id, number: 1, node_errors: NODE_ERRORS }));
      return 'answered';
    },
  });
  await using at = await executorAt(comfy);
  const { outcome } = await at.run();
  assert.equal(outcome.status, 'error');
  assert.match(outcome.error?.exception_message ?? '', /ckpt_name/);
  const stopped = comfy.requests.filter(
    ({ route }) => route === 'POST /queue' || route === 'POST /interrupt',
  );
  assert.equal(stopped.length, 2);
  for (const { body } of stopped) assert.match(body, /[0-9a-f-]{36}/);
});

test('jobs whose files ComfyUI lists only outside of folders are sent again with such files', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end(), {
    submit(prompt, answer) {
      if (String(prompt.graph['1']?.inputs['image']).startsWith(`atelier-${prompt.id}-`)) return undefined;
      const error = { type: 'value_not_in_list', extra_info: { input_name: 'image' } };
      const node_errors = { '1': { class_type: 'LoadImage', errors: [error] } };
      answer.writeHead(400).end(JSON.stringify({ error: { type: 'x', message: 'x' }, node_errors }));
      return 'not taken';
    },
  });
  await using at = await executorAt(comfy);
  const job = {
    graph: { '1': { class_type: 'LoadImage', inputs: { image: 'cat.png' } } },
    inputs: { 'cat.png': 'cat' },
  };
  // The second is staged before the first is refused.
  for (const { reason } of (await Promise.allSettled([at.run(job), at.run(job)])) as PromiseRejectedResult[])
    assert.ok(reason instanceof AttemptLost && reason.why.cause === 'returned', String(reason));
  assert.equal((await at.run({ ...job, jobId: ID })).outcome.status, 'success');
  const sent = comfy.files.get(`input//atelier-${ID}-0-cat.png`);
  assert.equal(sent && Buffer.from(sent).toString(), 'cat');
});

for (const hasCancelRoute of [true, false]) {
  test(`a cancel stops the prompt at ComfyUI, ${hasCancelRoute ? 'by the cancel route' : 'by its id'}`, async () => {
    const stop = new AbortController();
    await using comfy = await startScriptedComfyUi(
      (prompt) => {
        prompt.say('execution_start', { timestamp: 1 });
        prompt.say('executing', { node: '1' });
        stop.abort();
      },
      { hasCancelRoute },
    );
    await using at = await executorAt(comfy);
    const { outcome, events } = await at.run({ signal: stop.signal });
    assert.equal(outcome.status, 'interrupted');
    assert.equal(events.at(-1)?.type, 'execution_interrupted');
    assert.equal(comfy.running.size, 0);
    const interrupts = comfy.requests.filter(({ route }) => route === 'POST /interrupt');
    assert.equal(interrupts.length, hasCancelRoute ? 0 : 1);
    for (const { body } of interrupts) assert.match(body, /"prompt_id":"[0-9a-f-]{36}"/);
  });
}

test('an interrupt by a node or another user of ComfyUI is a lost attempt', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    prompt.say('execution_start', { timestamp: 1 });
    prompt.end('interrupted', { node_id: '1', node_type: 'KSampler', executed: [] });
  });
  await using at = await executorAt(comfy);
  await assert.rejects(
    at.run(),
    (error) => error instanceof AttemptLost && error.why.cause === 'interrupted',
  );
});

test('a socket that is lost or silent does not matter: the end comes from history', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    prompt.say('execution_start', { timestamp: 1 });
    for (const socket of comfy.sockets.values()) socket.terminate();
    comfy.files.set(`output/atelier/${prompt.id}/a_00001_.png`, Buffer.from('A'));
    const images = [{ filename: 'a_00001_.png', subfolder: `atelier/${prompt.id}`, type: 'output' }];
    setTimeout(() => prompt.endSilently('success', {}, { '9': { images } }), 300);
  });
  await using at = await executorAt(comfy);
  const { outcome, types } = await at.run();
  assert.equal(outcome.status, 'success');
  assert.deepEqual(types, ['execution_start', 'execution_cached', 'executed', 'execution_success']);
  assert.equal(await at.read('output/a_00001_.png'), 'A');
});

test('each connection has a client id of its own', async () => {
  const ids: string[] = [];
  await using comfy = await startScriptedComfyUi((prompt) => {
    ids.push(prompt.clientId);
    prompt.end();
  });
  await using at = await executorAt(comfy);
  await at.run();
  for (const socket of comfy.sockets.values()) socket.terminate();
  await until(() => comfy.sockets.size === 1 && !comfy.sockets.has(ids[0] ?? ''));
  await at.run();
  assert.equal(new Set(ids).size, 2);
});

test('a queue that was lost is a lost attempt', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    comfy.running.delete(prompt.id);
    prompt.say('executing', { node: null });
  });
  await using at = await executorAt(comfy);
  await assert.rejects(at.run(), (error) => error instanceof AttemptLost && error.why.cause === 'crash');
});

test('a ComfyUI that ends while it runs a job is a lost attempt', async () => {
  const comfy = await startScriptedComfyUi(() => void comfy[Symbol.asyncDispose]());
  await using at = await executorAt(comfy);
  await assert.rejects(at.run(), (error) => error instanceof AttemptLost && error.why.cause === 'crash');
  await until(() => at.executor.ready() === 0);
});

test('an error keeps its node, message and traceback', async () => {
  const failure = {
    node_id: '1',
    node_type: 'KSampler',
    exception_type: 'ValueError',
    exception_message: 'bad seed\n',
    traceback: ['line 1\n'],
    executed: [],
    current_inputs: { seed: [1] },
    current_outputs: ['2'],
  };
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end('error', failure));
  await using at = await executorAt(comfy);
  const { outcome, events } = await at.run({ jobId: ID });
  assert.deepEqual(outcome.error, { ...failure, prompt_id: ID, timestamp: 3 });
  assert.deepEqual(events.at(-1), { type: 'execution_error', data: outcome.error });
});

test('running out of memory has the name that makes the server look for a larger worker', async () => {
  const failures = [
    ['torch.OutOfMemoryError', 'Allocation on device 0'],
    ['RuntimeError', 'CUDA error: out of memory'],
  ] as const;
  for (const [exception_type, exception_message] of failures) {
    const failure = { exception_type, exception_message };
    await using comfy = await startScriptedComfyUi((prompt) => prompt.end('error', failure));
    await using at = await executorAt(comfy);
    const { outcome } = await at.run();
    assert.equal(outcome.error?.exception_type, 'OOMError');
    assert.equal(outcome.error?.exception_message, exception_message);
  }
});

test('input files are uploaded under names of the attempt, and outputs get names of the user', async () => {
  await using comfy = await startScriptedComfyUi((prompt) => {
    const { '1': load, '2': save } = prompt.graph;
    assert.equal(load?.inputs['image'], `atelier/${prompt.id}/input/cat.png`);
    assert.equal(save?.inputs['filename_prefix'], `atelier/${prompt.id}/sub/pic`);
    assert.equal(comfy.files.get(`input/atelier/${prompt.id}/input/cat.png`)?.length, 3);
    const subfolder = `atelier/${prompt.id}/sub`;
    comfy.files.set(`output/${subfolder}/pic_00001_.png`, Buffer.from('P'));
    const output = {
      images: [{ filename: 'pic_00001_.png', subfolder, type: 'output' }],
      text: ['as it is'],
    };
    prompt.say('executed', { node: '2', display_node: '2', output });
    prompt.end('success', {}, { '2': output });
  });
  await using at = await executorAt(comfy);
  const graph = {
    '1': { class_type: 'LoadImage', inputs: { image: 'cat.png' } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sub/pic' } },
  };
  const inputs = { 'cat.png': 'cat' };
  const first = await at.run({ graph, inputs });
  const output = {
    images: [{ filename: 'pic_00001_.png', subfolder: 'sub', type: 'output' }],
    text: ['as it is'],
  };
  assert.deepEqual(first.outcome.outputs, { '2': output });
  assert.deepEqual(first.events.find(({ type }) => type === 'executed')?.data, {
    node: '2',
    display_node: '2',
    output,
    prompt_id: first.events[0]?.data.prompt_id,
  });
  const second = await at.run({ graph, inputs });
  assert.match(JSON.stringify(second.outcome.outputs), /pic_00002_\.png/);
  assert.equal(await at.read('output/sub/pic_00002_.png'), 'P');
});

for (const name of ['fixed', 'x_temp_abcde_00001_']) {
  test(`a file whose name a node has chosen (${name}) is fetched before the next prompt, which may overwrite it`, async () => {
    let count = 0;
    await using comfy = await startScriptedComfyUi((prompt) => {
      count += 1;
      comfy.files.set(`temp//${name}.bin`, Buffer.from(`made by ${count}`));
      const output = { files: [{ filename: `${name}.bin`, subfolder: '', type: 'temp' }] };
      prompt.say('executed', { node: '1', display_node: '1', output });
      prompt.end('success', {}, { '1': output });
    });
    await using at = await executorAt(comfy);
    const outcomes = await Promise.all([at.run(), at.run()]);
    for (const [index, { outcome }] of outcomes.entries()) {
      const { filename } = (outcome.outputs['1']?.['files']?.[0] ?? {}) as SavedFile;
      assert.equal(await at.read(`temp/${filename}`), `made by ${index + 1}`);
    }
  });
}

test('a missing input file and an output that is not delivered are clear failures', async () => {
  const images = [{ filename: 'gone.png', subfolder: '', type: 'output' }];
  await using comfy = await startScriptedComfyUi((prompt) => prompt.end('success', {}, { '1': { images } }));
  await using at = await executorAt(comfy);
  const graph = { '7': { class_type: 'LoadImage', inputs: { image: 'none.png' } } };
  const missing = await at.run({ graph });
  assert.equal(missing.outcome.error?.node_id, '7');
  assert.match(missing.outcome.error?.exception_message ?? '', /no file none\.png/);
  const undelivered = await at.run();
  assert.match(undelivered.outcome.error?.exception_message ?? '', /made gone\.png but does not deliver it/);
});

test('a job that runs too long is stopped and says so', async () => {
  await using comfy = await startScriptedComfyUi(() => {});
  await using at = await executorAt(comfy, { jobMs: 200 });
  const { outcome } = await at.run();
  assert.equal(outcome.error?.exception_type, 'TimeoutError');
  assert.equal(comfy.running.size, 0);
});

test('one prompt is at ComfyUI at a time, and the inputs of the next one are uploaded early', async () => {
  let most = 0;
  let isFirst = true;
  await using comfy = await startScriptedComfyUi((prompt) => {
    most = Math.max(most, comfy.running.size);
    const isWarmUp = isFirst;
    isFirst = false;
    const end = (): void => prompt.end();
    if (isWarmUp) end();
    else void until(() => [...comfy.files.keys()].length >= 1).then(end);
  });
  await using at = await executorAt(comfy);
  await at.run();
  assert.equal(at.executor.ready(), 1);
  const one = at.run();
  assert.equal(at.executor.ready(), 1);
  const graph = { '1': { class_type: 'LoadImage', inputs: { image: 'cat.png' } } };
  const two = at.run({ graph, inputs: { 'cat.png': 'cat' } });
  const ended = await Promise.all([one, two]);
  assert.ok(ended.every(({ outcome }) => outcome.status === 'success'));
  assert.equal(most, 1);
});

test('the next prompt is submitted before the end of the last one is read', async () => {
  const submitted: string[] = [];
  await using comfy = await startScriptedComfyUi((prompt) => {
    submitted.push(prompt.id);
    prompt.end();
  });
  await using at = await executorAt(comfy);
  await at.run();
  comfy.state.beforeHistory = async () => await until(() => submitted.length === 3);
  const ended = await Promise.all([at.run(), at.run()]);
  assert.ok(ended.every(({ outcome }) => outcome.status === 'success'));
});

test('a long output of a node is cut, and all of it is stored in a file', async () => {
  const long = 'x'.repeat(10_000_000);
  await using comfy = await startScriptedComfyUi((prompt) =>
    prompt.end('success', {}, { '2': { text: [long] } }),
  );
  await using at = await executorAt(comfy);
  const { outcome } = await at.run();
  const { text = [], files = [] } = outcome.outputs['2'] ?? {};
  assert.ok(String(text[0]).length < 100_000);
  assert.match(JSON.stringify(files), /"filename":"output_[^"]+\.txt"/);
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { EngineEvent } from '@atelier/engine/runner';
import { loadSharp } from '@atelier/nodes/sharp';

import { AttemptLost } from '../executor.ts';
import { SOCKET_LOST } from './comfyui-socket.ts';
import { decodeFrame } from './decode-frame.ts';
import { createEventReader } from './read-comfyui-events.ts';
import { readHistory } from './read-history.ts';

function createReader(collect = async (output: Readonly<Record<string, readonly unknown[]>>) => output) {
  const events: EngineEvent[] = [];
  const reader = createEventReader({
    jobId: 'job',
    promptId: 'p',
    emit: (event) => events.push(event),
    typeOf: () => 'KSampler',
    outputNodes: new Set(['save']),
    onShown: () => {},
    collect,
    clean: (text) => text,
  });
  const say = (type: string, data: object): void => reader.hear({ type, data: { prompt_id: 'p', ...data } });
  return { reader, events, say };
}

function ended(outputs: object = {}) {
  const messages = [
    ['execution_start', { timestamp: 1 }],
    ['execution_cached', { nodes: ['7'], timestamp: 2 }],
    ['execution_success', { timestamp: 3 }],
  ];
  const entry = readHistory({ p: { outputs, status: { messages } } }, 'p');
  assert.ok(entry);
  return entry;
}

function frame(type: number, head: string, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const name = Buffer.from(head);
  const made = Buffer.alloc(8 + name.length + tail.length);
  made.writeUInt32BE(type, 0);
  made.writeUInt32BE(name.length, 4);
  made.set(name, 8);
  made.set(tail, 8 + name.length);
  return Uint8Array.from(made);
}

async function noise(side: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const raw = randomBytes(256 * 256 * 3);
  const picture = sharp(raw, { raw: { width: 256, height: 256, channels: 3 } });
  return await picture.resize(side, side).png().toBuffer();
}

test('events are in order and have the id of the job; other prompts are ignored', async () => {
  const { reader, events, say } = createReader();
  say('execution_start', { timestamp: 1 });
  say('execution_cached', { nodes: [], timestamp: 2 });
  reader.hear({ type: 'executing', data: { node: '9', prompt_id: 'other' } });
  say('executing', { node: '1', display_node: '1' });
  say('progress', { value: 1, max: 2, node: '1' });
  say('executed', { node: '1', display_node: '1', output: { text: ['a'] } });
  say('execution_success', { timestamp: 3 });
  const { outcome, final } = await reader.finish(ended({ '1': { text: ['a'] } }));
  assert.deepEqual(
    [...events, final].map(({ type }) => type),
    ['execution_start', 'execution_cached', 'executing', 'progress', 'executed', 'execution_success'],
  );
  assert.ok([...events, final].every(({ data }) => data.prompt_id === 'job'));
  assert.deepEqual(outcome.outputs, { '1': { text: ['a'] } });
});

test('only what changed in progress_state is passed on', async () => {
  const { reader, events, say } = createReader();
  const node = (state: string, value: number) => ({
    state,
    value,
    max: 2,
    display_node_id: 'd',
    real_node_id: 'r',
  });
  say('progress_state', { nodes: { '1': node('running', 1) } });
  say('progress_state', { nodes: { '1': node('running', 1), '2': node('running', 0) } });
  say('progress_state', { nodes: { '1': node('finished', 2), '2': node('running', 0) } });
  const { outcome } = await reader.finish(ended());
  const told = events.flatMap((event) =>
    event.type === 'node_progress' ? [`${event.data.node_id} ${event.data.state} ${event.data.value}`] : [],
  );
  assert.deepEqual(told, ['1 running 1', '2 running 0', '1 finished 2']);
  assert.deepEqual(outcome.executed, ['1']);
});

test('what the socket missed is read from history', async () => {
  const { reader, events } = createReader();
  await reader.finish(ended({ '3': { images: [1] } }));
  assert.deepEqual(events, [
    { type: 'execution_start', data: { prompt_id: 'job', timestamp: 1 } },
    { type: 'execution_cached', data: { nodes: ['7'], prompt_id: 'job', timestamp: 2 } },
    { type: 'executed', data: { node: '3', display_node: '3', output: { images: [1] }, prompt_id: 'job' } },
  ]);
});

test('events wait for the files before them, and a file that fails is reported at the end', async () => {
  const file = Promise.withResolvers<Readonly<Record<string, readonly unknown[]>>>();
  const { reader, events, say } = createReader(async () => await file.promise);
  say('executed', { node: '1', output: { images: ['x'] } });
  say('executing', { node: '2' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['execution_start'],
  );
  file.resolve({ images: ['y'] });
  await reader.finish(ended());
  assert.deepEqual(
    events.slice(0, 3).map(({ type }) => type),
    ['execution_start', 'executed', 'executing'],
  );

  const failing = createReader(async () => await Promise.reject(new Error('no file')));
  failing.say('executed', { node: '1', output: { images: ['x'] } });
  await assert.rejects(failing.reader.finish(ended({ '1': { images: ['x'] } })), /no file/);
});

test('previews are thinned and shrunk, and the last one is always sent', async () => {
  const { reader, events, say } = createReader();
  const picture = await noise(1024);
  for (let step = 1; step <= 10; step += 1) {
    const about = JSON.stringify({ node_id: '1', prompt_id: 'p', real_node_id: '1' });
    const decoded = decodeFrame(frame(4, about, picture));
    assert.ok(decoded);
    reader.hear(decoded);
    if (step < 10) say('progress', { value: step, max: 20, node: '1' });
  }
  await reader.finish(ended());
  const steps = events.flatMap((event) => (event.type === 'progress' ? [event] : []));
  const shown = steps.flatMap(({ preview }) => (preview ? [preview] : []));
  assert.ok(shown.length >= 2 && shown.length < 10, `${shown.length} previews`);
  assert.ok(steps.at(-1)?.preview);
  const sharp = await loadSharp();
  for (const { bytes, data, isOutput } of shown) {
    const { width, format } = await sharp(bytes).metadata();
    assert.ok(bytes.length <= 100_000 && (width ?? 0) <= 512 && format === 'jpeg');
    assert.equal(data.image_type, 'image/jpeg');
    assert.equal(isOutput, false);
  }
});

function sendPicture({ reader }: ReturnType<typeof createReader>, node: string, picture: Uint8Array): void {
  const about = JSON.stringify({ node_id: node, prompt_id: 'p', real_node_id: node });
  const decoded = decodeFrame(frame(4, about, picture));
  assert.ok(decoded);
  reader.hear(decoded);
}

const progressOf = (events: readonly EngineEvent[]) =>
  events.flatMap((event) => (event.type === 'progress' ? [event] : []));

test('previews of an output node are thinned, and each step is sent once', async () => {
  const made = createReader();
  const sharp = await loadSharp();
  const picture = await sharp(await noise(1024))
    .jpeg()
    .toBuffer();
  for (let value = 1; value <= 100; value += 1) {
    sendPicture(made, 'save', picture);
    made.say('progress', { value, max: 100, node: 'save' });
  }
  await made.reader.finish(ended({ save: { text: ['a'] } }));
  const told = progressOf(made.events);
  assert.deepEqual(
    told.map(({ data }) => data.value),
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  const shown = told.flatMap(({ preview }) => (preview ? [preview] : []));
  assert.ok(shown.length >= 2 && shown.length < 50, `${shown.length} previews`);
  assert.ok(told.at(-1)?.preview);
  for (const { bytes, isOutput } of shown) {
    assert.equal(isOutput, false);
    assert.ok(bytes.length <= 100_000);
  }
});

test('PNGs of an output node are results: each is passed on unchanged, with its step', async () => {
  const made = createReader();
  const pictures = await Promise.all([16, 17, 18].map(noise));
  for (const [value, picture] of pictures.entries()) {
    sendPicture(made, 'save', picture);
    made.say('progress_state', { nodes: {} });
    made.say('progress', { value, max: 3, node: 'save' });
  }
  await made.reader.finish(ended());
  const told = progressOf(made.events);
  assert.deepEqual(
    told.map(({ data }) => data.value),
    [0, 1, 2],
  );
  for (const [index, { preview }] of told.entries()) {
    assert.ok(preview);
    assert.deepEqual(Buffer.from(preview.bytes), Buffer.from(pictures[index] ?? []));
    assert.equal(preview.isOutput, true);
    assert.equal(preview.data.image_type, 'image/png');
  }
});

test('results without a progress message are all passed on, before what follows them', async () => {
  const made = createReader();
  const picture = await noise(16);
  made.say('executing', { node: 'save' });
  sendPicture(made, 'save', picture);
  sendPicture(made, 'save', picture);
  // As nodes of packs send them: without metadata, and in any format.
  made.reader.hear({ kind: 'picture', about: undefined, bytes: Uint8Array.from([0xff, 0xd8, 0xff]) });
  sendPicture(made, 'save', picture);
  made.say('executing', { node: '2' });
  sendPicture(made, 'save', picture);
  await made.reader.stop('interrupted', {});
  const told = made.events.map((event) =>
    event.type === 'progress' ? [event.preview?.isOutput, event.preview?.data.image_type] : event.type,
  );
  const png = [true, 'image/png'];
  assert.deepEqual(told, [
    'execution_start',
    'executing',
    png,
    png,
    [true, 'image/jpeg'],
    png,
    'executing',
    png,
  ]);
});

test('a step is sent even when its preview is not a picture', async () => {
  const made = createReader();
  sendPicture(made, '1', Buffer.from('no picture'));
  made.say('progress', { value: 1, max: 2, node: '1' });
  await made.reader.finish(ended());
  assert.deepEqual(
    progressOf(made.events).map(({ data, preview }) => [data.value, preview]),
    [[1, undefined]],
  );
});

test('a result that is too large for the server is the error of the job', async () => {
  const { reader } = createReader();
  const about = JSON.stringify({ node_id: 'save', prompt_id: 'p', real_node_id: 'save' });
  const decoded = decodeFrame(frame(4, about, new Uint8Array(9 * 2 ** 20)));
  assert.ok(decoded);
  reader.hear(decoded);
  const { outcome, final } = await reader.finish(ended());
  assert.equal(outcome.status, 'error');
  assert.equal(final.type, 'execution_error');
  assert.equal(outcome.error?.node_id, 'save');
  assert.match(
    outcome.error?.exception_message ?? '',
    /9 MB is too large .*\(8 MB\)\. Save it with SaveImage/,
  );
});

test('a result that may have been sent while the socket was down is a lost attempt', async () => {
  const missed = createReader();
  missed.reader.hear(SOCKET_LOST);
  await assert.rejects(missed.reader.finish(ended()), AttemptLost);
  const found = createReader();
  found.reader.hear(SOCKET_LOST);
  assert.equal((await found.reader.finish(ended({ save: { text: ['a'] } }))).outcome.status, 'success');
});

test('frames of texts and of plain previews are read, and broken ones are not', () => {
  assert.deepEqual(decodeFrame(frame(3, '12', Buffer.from('half done'))), {
    kind: 'text',
    nodeId: '12',
    text: 'half done',
  });
  const plain = Uint8Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]);
  assert.deepEqual(decodeFrame(plain), {
    kind: 'picture',
    about: undefined,
    bytes: Uint8Array.from([0xff, 0xd8]),
  });
  for (const broken of [[], [0, 0, 0, 3, 0, 0, 0, 99], [0, 0, 0, 9, 0, 0, 0, 0], [0, 0, 0, 4, 0, 0, 0, 0]])
    assert.equal(decodeFrame(Uint8Array.from(broken)), undefined);
});

test('an interrupted prompt is not an error, and a message without a time does not end the job', async () => {
  const { reader, events, say } = createReader();
  say('execution_error', { node_id: '1', exception_message: 'Execution Blocked: x', exception_type: 'E' });
  const messages = [
    ['execution_interrupted', { node_id: '1', node_type: 'KSampler', executed: ['2'], timestamp: 5 }],
  ];
  const entry = readHistory({ p: { status: { status_str: 'error', messages } } }, 'p');
  assert.ok(entry);
  const { outcome, final } = await reader.finish(entry);
  // The start comes first, also when the socket was opened too late to hear it.
  assert.deepEqual(
    events.map(({ type }) => type),
    ['execution_start', 'execution_error', 'execution_cached'],
  );
  assert.equal(outcome.status, 'interrupted');
  assert.deepEqual(final.data, {
    prompt_id: 'job',
    node_id: '1',
    node_type: 'KSampler',
    executed: ['2'],
    timestamp: 5,
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';

import { download, type FileReference, newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine, onEachEngine } from '../support/servers.ts';
import { refusedUpgrade, socketUrl, watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { longWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

onEachEngine('watching jobs', (server) => {
  test('[JOB-31] a job tells its life in order, and the end marker comes last', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, pictureWorkflow());
    await watcher.end(prompt_id);
    // A server that has just started may let it wait for so long that it says so.
    const types = watcher
      .about(prompt_id)
      .map(({ type }) => type)
      .filter((type) => type !== 'notification');
    assert.deepEqual(types, [
      'execution_start',
      'execution_cached',
      'progress_state',
      'executing',
      'progress_state',
      'progress_state',
      'executing',
      'progress_state',
      'progress',
      'executed',
      'progress_state',
      'execution_success',
      'executing',
    ]);
    const all = watcher.messages().map(({ type }) => type);
    assert.equal(all[all.lastIndexOf('executing') - 1], 'status');
  });

  test('[JOB-31] the messages have exactly the fields of the public systems', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, pictureWorkflow());
    await watcher.end(prompt_id);
    const fields = (type: string) =>
      Object.keys(watcher.about(prompt_id).find((message) => message.type === type)?.data ?? {}).toSorted();
    assert.deepEqual(fields('execution_start'), ['prompt_id', 'timestamp']);
    assert.deepEqual(fields('execution_cached'), ['nodes', 'prompt_id', 'timestamp']);
    assert.deepEqual(fields('executing'), ['display_node', 'node', 'prompt_id']);
    assert.deepEqual(fields('executed'), ['display_node', 'node', 'output', 'prompt_id']);
    assert.deepEqual(fields('execution_success'), ['prompt_id', 'timestamp']);
    const state = watcher.about(prompt_id).find(({ type }) => type === 'progress_state');
    const nodes = state?.data['nodes'] as Record<string, Record<string, unknown>>;
    assert.deepEqual(Object.keys(Object.values(nodes)[0] ?? {}).toSorted(), [
      'display_node_id',
      'max',
      'node_id',
      'parent_node_id',
      'prompt_id',
      'real_node_id',
      'state',
      'value',
    ]);
  });

  test('[JOB-31] a node that works through a batch tells every picture', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, longWorkflow({ pictures: 6, size: 64 }));
    await watcher.end(prompt_id);
    const steps = watcher
      .about(prompt_id)
      .filter(({ type, data }) => type === 'progress' && data['node'] === '2');
    assert.deepEqual(
      steps.map(({ data }) => [data['value'], data['max']]),
      [1, 2, 3, 4, 5, 6].map((value) => [value, 6]),
    );
  });

  test('[JOB-31] a file can be fetched as soon as a message names it', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, pictureWorkflow());
    const executed = await watcher.find(
      'the picture',
      ({ type, data }) => type === 'executed' && data['prompt_id'] === prompt_id,
    );
    const { images } = executed.data['output'] as { images: FileReference[] };
    const [image] = images;
    assert.ok(image);
    const bytes = await download(api, image);
    assert.equal(Buffer.from(bytes.subarray(1, 4)).toString(), 'PNG');
  });

  test('[JOB-31] once the end is sent, the job has it', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    for (let round = 0; round < 5; round += 1) {
      const { prompt_id } = await submit(api, textWorkflow());
      await watcher.find(
        'success',
        ({ type, data }) => type === 'execution_success' && data['prompt_id'] === prompt_id,
      );
      const { body } = await api.get<{ status: string }>(`/api/job/${prompt_id}/status`);
      assert.equal(body.status, 'completed');
    }
  });

  test('[JOB-30] the first message has the count and the sid; every connection hears everything of its user only', async () => {
    const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
    using first = await watch(server.current.url, ada.key, { clientId: 'one' });
    using second = await watch(server.current.url, ada.key, { clientId: 'two' });
    using stranger = await watch(server.current.url, bob.key, { clientId: 'one' });
    assert.deepEqual(first.messages()[0], {
      type: 'status',
      data: { status: { exec_info: { queue_remaining: 0 } }, queue_remaining: 0, sid: 'one' },
    });
    const { prompt_id } = await submit(ada.api, textWorkflow());
    await Promise.all([first.end(prompt_id), second.end(prompt_id)]);
    assert.deepEqual(first.about(prompt_id), second.about(prompt_id));
    const own = await submit(bob.api, textWorkflow());
    await stranger.end(own.prompt_id);
    assert.equal(stranger.about(prompt_id).length, 0);
    assert.equal(first.about(own.prompt_id).length, 0);
  });

  test('[JOB-30] a bearer token opens a socket too; nothing or nonsense gets 401, a banned account 403', async () => {
    const person = await newPerson(server.current);
    const token = await tokenOf(server.current, person);
    using watcher = await watch(server.current.url, token);
    assert.equal(watcher.messages()[0]?.type, 'status');
    const { url } = server.current;
    assert.equal(await refusedUpgrade(socketUrl(url, {})), 401);
    assert.equal(await refusedUpgrade(socketUrl(url, { token: 'atelier_nonsense' })), 401);
    assert.equal(await refusedUpgrade(socketUrl(url, { token: 'a.b.c' })), 401);
    await admin(server.current).post(`/admin/users/${person.id}/ban`, { reason: 'test' });
    assert.equal(await refusedUpgrade(socketUrl(url, { token })), 403);
  });

  test('[JOB-30] the same is at /api/ws', async () => {
    const { api, key } = await newSubmitter(server.current);
    const under = `${server.current.url}/api`;
    using watcher = await watch(under, key);
    const { prompt_id } = await submit(api, textWorkflow());
    await watcher.end(prompt_id);
    assert.equal(await refusedUpgrade(socketUrl(under, {})), 401);
  });

  test('[JOB-30] who connects in the middle of a job learns where it is', async () => {
    const { api, key } = await newSubmitter(server.current);
    using early = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, longWorkflow({ pictures: 100 }));
    await early.find('progress', ({ type, data }) => type === 'progress' && data['prompt_id'] === prompt_id);
    using late = await watch(server.current.url, key, { clientId: 'late' });
    const state = await late.find('the state', ({ type }) => type === 'progress_state');
    assert.equal(state.data['prompt_id'], prompt_id);
    const executing = await late.find('the node', ({ type }) => type === 'executing');
    assert.equal(executing.data['node'], '2');
    await api.post(`/api/jobs/${prompt_id}/cancel`);
    await late.end(prompt_id);
  });

  test('[JOB-34] a new socket with the id of a lingering one loses nothing, nor does the old one', async () => {
    const { api, key } = await newSubmitter(server.current);
    using old = await watch(server.current.url, key, { clientId: 'same' });
    using fresh = await watch(server.current.url, key, { clientId: 'same' });
    const first = await submit(api, textWorkflow());
    await Promise.all([old.end(first.prompt_id), fresh.end(first.prompt_id)]);
    old.socket.terminate();
    await once(old.socket, 'close');
    const second = await submit(api, textWorkflow());
    await fresh.end(second.prompt_id);
  });

  test('[HOST-27] [JOB-32] previews have the layout that was asked for, and flags are answered', async () => {
    const { api, key } = await newSubmitter(server.current);
    using plain = await watch(server.current.url, key);
    using modern = await watch(server.current.url, key, { flags: { supports_preview_metadata: true } });
    const flags = await modern.find('flags', ({ type }) => type === 'feature_flags');
    assert.equal(flags.data['supports_preview_metadata'], true);
    assert.equal(flags.data['partner_run_gate_enabled'], false);
    // A node shows previews when it has run for half a second: a fast machine needs more pictures for that.
    const submitted: string[] = [];
    const hasPictures = ({ frames }: typeof plain) => frames.some(Buffer.isBuffer);
    for (let pictures = 40; pictures <= 160 && ![plain, modern].every(hasPictures); pictures *= 2) {
      const { prompt_id } = await submit(api, longWorkflow({ pictures }));
      await plain.end(prompt_id);
      await modern.end(prompt_id);
      submitted.push(prompt_id);
    }
    const typesOf = (frames: readonly unknown[]) =>
      new Set(frames.filter(Buffer.isBuffer).map((frame) => frame.readUInt32BE(0)));
    assert.deepEqual(typesOf(plain.frames), new Set([1]));
    assert.deepEqual(typesOf(modern.frames), new Set([4]));
    const frame = modern.frames.find(Buffer.isBuffer);
    assert.ok(frame);
    const length = frame.readUInt32BE(4);
    const metadata = JSON.parse(frame.subarray(8, 8 + length).toString()) as Record<string, unknown>;
    assert.ok(submitted.includes(String(metadata['prompt_id'])));
    assert.deepEqual(Object.keys(metadata).toSorted(), [
      'display_node_id',
      'image_type',
      'node_id',
      'parent_node_id',
      'prompt_id',
      'real_node_id',
    ]);
    assert.deepEqual([...frame.subarray(8 + length, 10 + length)], [0xff, 0xd8]);
  });

  test('[JOB-32] a text for a node comes as a binary frame of type 3', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, {
      ...pictureWorkflow(),
      size: { class_type: 'GetImageSize', inputs: { image: ['1', 0] } },
      show: { class_type: 'PreviewAny', inputs: { source: ['size', 0] } },
    });
    await watcher.end(prompt_id);
    const frame = watcher.frames.filter(Buffer.isBuffer).find((bytes) => bytes.readUInt32BE(0) === 3);
    assert.ok(frame);
    const length = frame.readUInt32BE(4);
    assert.equal(frame.subarray(8, 8 + length).toString(), 'size');
    assert.match(frame.subarray(8 + length).toString(), /32/);
  });

  test('[JOB-33] a frame of 20 MB closes the socket and harms nobody else', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const rude = new WebSocket(socketUrl(server.current.url, { token: key }));
    rude.on('error', () => {});
    await once(rude, 'open');
    rude.send(Buffer.alloc(20 * 2 ** 20));
    const [code] = (await once(rude, 'close')) as [number];
    assert.ok([1006, 1009].includes(code), String(code));
    const { prompt_id } = await submit(api, textWorkflow());
    await watcher.end(prompt_id);
  });

  test('[JOB-33] junk from a client is ignored', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    for (const junk of [
      '',
      '{',
      '[]',
      'null',
      '{"type":5}',
      '{"type":"feature_flags"}',
      Buffer.from([1, 2, 3]),
    ]) {
      watcher.socket.send(junk);
    }
    const { prompt_id } = await submit(api, textWorkflow());
    await watcher.end(prompt_id);
  });

  test('[JOB-35] a waiting job says so in a sentence', async () => {
    const { api, key } = await newSubmitter(server.current, 'standard');
    using watcher = await watch(server.current.url, key);
    const first = await submit(api, longWorkflow({ pictures: 100 }));
    const second = await submit(api, textWorkflow());
    const { data } = await watcher.find('a notification', ({ type }) => type === 'notification');
    assert.equal(data['prompt_id'], second.prompt_id);
    assert.match(String(data['value']), /^Waiting for .*\.$/);
    await api.post('/api/jobs/cancel', { job_ids: [first.prompt_id, second.prompt_id] });
  });

  test('[JOB-39] the editor hears again what still runs when another job has ended', async () => {
    const { api, key } = await newSubmitter(server.current, 'standard');
    using plain = await watch(server.current.url, key);
    using editor = await watch(server.current.url, key, { flags: {} });
    const { prompt_id: long } = await submit(api, longWorkflow({ pictures: 200 }));
    const { prompt_id: second } = await submit(api, textWorkflow());
    const starts = ({ messages }: typeof editor) =>
      messages('execution_start').map(({ data }) => data['prompt_id']);
    await until('the first job runs', () => starts(editor).includes(long));
    await api.post(`/api/jobs/${second}/cancel`);
    await until('it hears it again', () => starts(editor).length === 2);
    const ends = editor.about(second).map(({ type }) => type);
    assert.deepEqual(ends.slice(-2), ['execution_interrupted', 'executing']);
    await api.post(`/api/jobs/${long}/cancel`);
    await Promise.all([editor.end(long), plain.end(long)]);
    const { prompt_id: third } = await submit(api, textWorkflow());
    await Promise.all([editor.end(third), plain.end(third)]);
    assert.deepEqual(starts(editor), [long, long, third]);
    assert.deepEqual(starts(plain), [long, third]);
  });

  test('[JOB-31] a failing job tells execution_error with what went wrong', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const { prompt_id } = await submit(api, {
      '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 5 } },
      '2': { class_type: 'ImageToMask', inputs: { image: ['1', 0], channel: 'alpha' } },
      '3': { class_type: 'MaskPreview', inputs: { mask: ['2', 0] } },
    });
    await watcher.end(prompt_id);
    const error = watcher.about(prompt_id).find(({ type }) => type === 'execution_error');
    assert.equal(error?.data['node_id'], '2');
    assert.equal(error.data['node_type'], 'ImageToMask');
    assert.equal(await untilStatus(api, prompt_id), 'failed');
    const { body } = await api.get<{ execution_error: unknown }>(`/api/jobs/${prompt_id}`);
    assert.deepEqual(body.execution_error, error.data);
  });
});

onAnyEngine(
  'a bound on streams',
  (server) => {
    test('[JOB-36] a thousand sockets of one user: as many as allowed, the rest 429, others undisturbed', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const connect = () => {
        const socket = new WebSocket(socketUrl(server.current.url, { token: ada.key }));
        let outcome: 'open' | number | undefined;
        socket.on('error', () => {});
        socket.on('open', () => {
          outcome = 'open';
        });
        socket.on('unexpected-response', (_request, response) => {
          outcome = response.statusCode ?? 0;
          response.destroy();
        });
        return { socket, outcome: () => outcome };
      };
      const sockets: ReturnType<typeof connect>[] = [];
      // In waves: on a busy machine the database would not get round to a thousand callers before it is given up.
      while (sockets.length < 1000) {
        sockets.push(...Array.from({ length: 100 }, connect));
        await until('all answers', () => sockets.every(({ outcome }) => outcome() !== undefined));
      }
      assert.equal(sockets.filter(({ outcome }) => outcome() === 'open').length, 20);
      assert.equal(sockets.filter(({ outcome }) => outcome() === 429).length, 980);
      using watcher = await watch(server.current.url, bob.key);
      const { prompt_id } = await submit(bob.api, textWorkflow());
      await watcher.end(prompt_id);
      for (const { socket } of sockets) socket.terminate();
    });
  },
  { environment: { ATELIER_STREAMS_PER_USER: '20' } },
);

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { schemas } from '@comfyorg/sdk/low';

import type { Submitter } from '../support/cloud.ts';
import type { Answer } from '../support/http-client.ts';
import { onAnyEngine, onEachEngine } from '../support/servers.ts';
import { plain } from '../support/test-pictures.ts';
import { createJob, newV2Submitter, refusal, untilJob } from '../support/v2.ts';

interface Asset {
  readonly id: string;
  readonly hash: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly file_path: string;
  readonly url: string;
  readonly expires_at: string | null;
  readonly job_id: string | null;
  readonly created_new?: boolean;
}

const ZERO = `blake3:${'0'.repeat(64)}`;

onEachEngine('assets of the Comfy API v2', (server) => {
  const upload = async (
    { api }: Pick<Submitter, 'api'>,
    bytes: Uint8Array,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Asset>> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      content_type: 'image/png',
      file_path: 'photo.png',
      ...fields,
    }))
      form.append(name, value);
    form.append('file', new Blob([Buffer.from(bytes)]), 'photo.png');
    const answer = await api.request<Asset>('POST', '/api/v2/assets', { body: form });
    if (answer.status < 300) schemas.zAsset.parse(answer.body);
    return answer;
  };
  const head = async ({ api }: Pick<Submitter, 'api'>, hash: string) =>
    (await api.request('HEAD', `/api/v2/assets/by-hash/${hash}`)).status;
  const fromHash = async ({ api }: Pick<Submitter, 'api'>, body: unknown) =>
    await api.request<Asset>('POST', '/api/v2/assets/from-hash', { body });

  test('[API-22] [API-23] bytes are uploaded once, and found by their hash afterwards', async () => {
    const person = await newV2Submitter(server.current);
    const bytes = randomBytes(5000);
    const first = await upload(person, bytes, {
      content_type: 'application/octet-stream',
      file_path: 'sub/a.bin',
      tags: 'one',
    });
    assert.deepEqual([first.status, first.body.created_new], [201, true]);
    const { id, hash } = first.body;
    assert.deepEqual(
      [first.body.file_path, first.body.size_bytes, first.body.job_id],
      ['sub/a.bin', 5000, null],
    );
    assert.equal(await head(person, hash), 200);
    assert.equal(await head(person, hash.replace(':', '%3A')), 200);
    assert.equal((await person.api.get(`/api/v2/assets/by-hash/${hash}`)).body['id'], id);
    const again = await upload(person, bytes, {
      file_path: 'input/sub/a.bin',
      expected_hash: hash,
      tags: 'two',
    });
    assert.deepEqual([again.status, again.body.id, again.body.created_new], [200, id, false]);
    const tags = await person.api.get<{ tags: string[] }>(`/api/assets/${id}`);
    assert.deepEqual(tags.body.tags, ['input', 'one', 'two']);
    const same = await fromHash(person, { hash, file_path: 'sub/a.bin' });
    assert.deepEqual([same.status, same.body.id, same.body.created_new], [200, id, false]);
    const named = await fromHash(person, { hash, file_path: 'b.bin', tags: null });
    assert.deepEqual([named.status, named.body.created_new, named.body.file_path], [201, false, 'b.bin']);
    const other = await upload(person, randomBytes(10), { file_path: 'b.bin' });
    assert.deepEqual([other.status, other.body.file_path], [201, 'b (1).bin']);
    const stranger = await newV2Submitter(server.current);
    for (const [who, what] of [
      [stranger, hash],
      [person, ZERO],
    ] as const) {
      assert.equal(await head(who, what), 404);
      assert.deepEqual(refusal(await fromHash(who, { hash: what })).code, 'blob_not_found');
    }
    assert.equal(await head(person, 'nonsense'), 400);
  });

  test('[API-24] what does not have its hash, or leads elsewhere, is refused and leaves nothing', async () => {
    const person = await newV2Submitter(server.current);
    const bytes = randomBytes(100);
    assert.deepEqual(refusal(await upload(person, bytes, { expected_hash: ZERO })), {
      status: 409,
      code: 'hash_mismatch',
      details: undefined,
    });
    for (const fields of [
      { file_path: '../a' },
      { file_path: '/a' },
      { file_path: 'a [output]' },
      { file_path: 'models/x/y.safetensors' },
      { file_path: '' },
      { content_type: '' },
      { content_type: 'png' },
      { expires_in: '59' },
      { expires_in: 'x' },
      { expected_hash: 'x' },
      { tags: 'output' },
    ])
      assert.equal(
        refusal(await upload(person, bytes, fields)).code,
        'invalid_request',
        JSON.stringify(fields),
      );
    const form = new FormData();
    form.append('file_path', 'x.png');
    assert.equal(refusal(await person.api.request('POST', '/api/v2/assets', { body: form })).status, 400);
    assert.equal(refusal(await person.api.post('/api/v2/assets', {})).status, 415);
    const { body } = await person.api.get<{ total: number }>('/api/assets');
    assert.equal(body.total, 0);
  });

  test('[API-25] [API-26] the bytes come whole or in part, until the asset is deleted', async () => {
    const person = await newV2Submitter(server.current);
    const { api, key } = person;
    const bytes = randomBytes(300_000);
    const { id, hash, url } = (await upload(person, bytes, { file_path: 'x.bin' })).body;
    const path = `/api/v2/assets/${id}/content`;
    const read = async (headers: Record<string, string> = {}) =>
      await fetch(server.current.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
    assert.deepEqual(Buffer.from(await (await read()).arrayBuffer()), bytes);
    const part = await read({ range: 'bytes=10-19' });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 10-19/300000']);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
    assert.equal(refusal(await api.get(path, { range: 'bytes=300000-' })).status, 416);
    assert.equal((await api.request('HEAD', path)).headers.get('content-length'), '300000');
    assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, 300_000);
    const twin = (await fromHash(person, { hash, file_path: 'y.bin' })).body;
    assert.equal((await api.delete(`/api/v2/assets/${id}`)).status, 204);
    assert.equal(refusal(await api.delete(`/api/v2/assets/${id}`)).status, 404);
    assert.equal(refusal(await api.get(path)).status, 404);
    assert.equal(await head(person, hash), 200);
    assert.equal((await api.get(`/api/v2/assets/${twin.id}`)).status, 200);
    await api.delete(`/api/v2/assets/${twin.id}`);
    assert.equal(await head(person, hash), 404);
  });

  test('[API-27] an upload may expire, and lives longer when it comes again', async () => {
    const person = await newV2Submitter(server.current);
    const bytes = randomBytes(64);
    const expiryOf = ({ body }: Answer<Asset>) => Date.parse(body.expires_at ?? '');
    const hour = expiryOf(await upload(person, bytes, { expires_in: '3600' }));
    assert.ok(hour > Date.now() && hour <= Date.now() + 3_600_000);
    assert.equal(expiryOf(await upload(person, bytes, { expires_in: '600' })), hour);
    assert.ok(expiryOf(await upload(person, bytes, { expires_in: '7200' })) >= hour + 3_600_000);
    const kept = await upload(person, bytes);
    assert.equal(kept.body.expires_at, null);
    assert.equal((await upload(person, bytes, { expires_in: '60' })).body.expires_at, null);
  });

  test('[API-28] a reference becomes the name of its file, and the job runs with it', async () => {
    const person = await newV2Submitter(server.current);
    const picture = await plain(20, 10);
    const { id, hash } = (await upload(person, picture, { file_path: 'in/photo.png' })).body;
    const reference = (named: string, more: object = {}) => ({
      __type: 'core/ASSET',
      info: { id: named, ...more },
    });
    const workflow = (image: unknown) => ({
      '1': { class_type: 'LoadImage', inputs: { image } },
      '2': {
        class_type: 'ImageScale',
        inputs: { image: ['1', 0], upscale_method: 'lanczos', width: 8, height: 4, crop: 'disabled' },
      },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'scaled' } },
    });
    // The id decides: what else it says are hints.
    const job = await createJob(person, workflow(reference(id, { hash: ZERO, file_path: 'elsewhere.png' })));
    const { status, outputs } = await untilJob(person, job.id);
    assert.deepEqual([status, outputs[0]?.type], ['succeeded', 'image']);
    const { body } = await person.api.get<{ workflow: ReturnType<typeof workflow> }>(
      `/api/v2/jobs/${job.id}/workflow`,
    );
    assert.equal(body.workflow['1'].inputs.image, 'in/photo.png');
    const result = await createJob(person, workflow(reference(outputs[0]?.id ?? '')));
    assert.equal((await untilJob(person, result.id)).status, 'succeeded');
    const stranger = await newV2Submitter(server.current);
    const refused = refusal(await stranger.api.post('/api/v2/jobs', { workflow: workflow(reference(id)) }));
    assert.deepEqual(
      [refused.status, refused.code, refused.details],
      [422, 'missing_asset', { missing_ids: [id] }],
    );
    for (const image of [
      { __type: 'core/ASSET' },
      { __type: 'core/ASSET', info: { hash } },
      reference(''),
      reference('x'),
      [[reference('y')]],
    ])
      assert.equal(
        refusal(await person.api.post('/api/v2/jobs', { workflow: workflow(image) })).code,
        'missing_asset',
      );
  });
});

onAnyEngine(
  'storage of the Comfy API v2',
  (server) => {
    test('[API-24] [API-27] a file that is too large gets 413, and one beyond the storage 403', async () => {
      const { api } = await newV2Submitter(server.current);
      const send = async (size: number, name: string) => {
        const form = new FormData();
        form.append('content_type', 'application/octet-stream');
        form.append('file_path', name);
        form.append('file', new Blob([randomBytes(size)]), name);
        return await api.request('POST', '/api/v2/assets', { body: form });
      };
      assert.equal((await send(600_000, 'a')).status, 201);
      assert.deepEqual(refusal(await send(600_000, 'b')), {
        status: 403,
        code: 'storage_full',
        details: undefined,
      });
      assert.deepEqual(refusal(await send(2 * 2 ** 20, 'c')), {
        status: 413,
        code: 'payload_too_large',
        details: undefined,
      });
    });
  },
  { environment: { ATELIER_CLOUD_STORAGE_MB: '1', ATELIER_UPLOAD_MAX_MB: '1' } },
);

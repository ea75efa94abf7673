import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type S3Options, startS3 } from '@atelier/testing';

import { Secret } from '../../secret.ts';
import { startFileServer } from '../test/file-server.ts';
import { fileStoreContract } from '../test/file-store.contract.ts';
import { openS3 } from './s3-client.ts';
import { createS3FileStore } from './s3-file-store.ts';

const MAX = { maxBytes: 10_000_000 };
/** Small, so that files of some megabytes go up in parts. */
const LIMITS = { multipartBytes: 2_500_000, partBytes: 1_000_000 };

async function startStore({
  hasLinks = false,
  ...options
}: S3Options & { readonly hasLinks?: boolean } = {}) {
  const service = await startS3(options);
  const folder = await mkdtempDisposable(join(tmpdir(), 'atelier-s3-'));
  const s3 = await openS3({
    bucket: service.bucket,
    prefix: 'here/',
    region: service.region,
    endpoint: service.url,
    publicUrl: hasLinks ? service.url : undefined,
    isPathStyle: true,
    keys: { id: service.accessKeyId, secret: new Secret(service.secretAccessKey) },
  });
  const corrupt: string[] = [];
  const refused: string[] = [];
  const spoolFolder = join(folder.path, 'spool');
  const server = await startFileServer({
    createStore: async (signer) =>
      await createS3FileStore({
        s3,
        name: 'outputs',
        spoolFolder,
        signer,
        ...LIMITS,
        onCorrupt: (hash) => corrupt.push(hash),
        onRefused: (said) => refused.push(said),
      }),
  });
  return {
    ...server,
    service,
    corrupt,
    refused,
    spooled: async () => await readdir(spoolFolder),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      s3.close();
      await service[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

fileStoreContract('S3 file store', startStore);

describe('S3 file store', () => {
  const keyOf = (content: Uint8Array) => `here/outputs/${createHash('sha256').update(content).digest('hex')}`;
  const from = (content: Uint8Array) => Readable.from([content]);

  it('sends a file in one request with length, checksum and condition, and leaves nothing on the disk', async () => {
    await using under = await startStore();
    const content = randomBytes(1_000_000);
    await under.store.put(from(content), MAX);
    await under.store.put(from(content), MAX);
    assert.deepEqual(under.service.requests, [`PUT ${keyOf(content)}`, `PUT ${keyOf(content)}`]);
    assert.deepEqual([...under.service.objects.keys()], [keyOf(content)]);
    assert.deepEqual(await under.spooled(), []);
  });

  it('sends a large file in parts, and ends the upload when a part fails for good', async () => {
    await using under = await startStore();
    const content = randomBytes(3_200_000);
    const { hash } = await under.store.put(from(content), MAX);
    assert.equal(under.service.requests.filter((line) => line.startsWith('PUT')).length, 4);
    assert.deepEqual(await buffer((await under.store.open(hash))?.stream ?? from(Buffer.alloc(0))), content);
    await under.store.put(from(content), MAX);

    const other = randomBytes(3_000_000);
    under.service.fault = (method) => (method === 'PUT' ? { kind: 'unavailable' } : undefined);
    await assert.rejects(under.store.put(from(other), MAX), { code: 'server.file_store' });
    assert.equal(under.service.uploads.size, 0);
    assert.equal(under.service.objects.has(keyOf(other)), false);
    assert.deepEqual(await under.spooled(), []);
  });

  it('treats general refusals as an outage, reports refused files, and sends them once', async () => {
    await using under = await startStore();
    const { hash } = await under.store.put(from(randomBytes(1000)), MAX);
    for (const [status, code] of [
      [301, 'PermanentRedirect'],
      [400, 'ExpiredToken'],
      [400, 'XMinioAdminBucketQuotaExceeded'],
      [403, 'AccessDenied'],
      [403, 'InvalidAccessKeyId'],
      [404, 'NoSuchBucket'],
      [507, 'XMinioStorageFull'],
    ] as const) {
      under.service.fault = () => ({ kind: 'refused', status, code });
      const expected = {
        code: 'server.file_store',
        message: `The file store refuses requests now (${code}). Try again later.`,
      };
      for (const size of [1000, 3_200_000])
        await assert.rejects(under.store.put(from(randomBytes(size)), MAX), expected);
      await assert.rejects(under.store.open(hash), expected);
      assert.deepEqual(under.refused.splice(0), [code, code]);
    }
    under.service.fault = () => ({ kind: 'refused', status: 403, code: 'AccessDenied' });
    await assert.rejects(under.store.stat(hash), { message: /\(403\)/ }, 'an answer without a body');
    under.service.requests.length = 0;
    await assert.rejects(under.store.put(from(randomBytes(1000)), MAX));
    assert.equal(under.service.requests.length, 1);
    under.service.fault = () => undefined;
    assert.equal(under.service.uploads.size, 0);
    assert.equal(under.service.objects.size, 1);
    assert.deepEqual(await under.spooled(), []);
  });

  it('passes on the refusal of a single request', async () => {
    await using under = await startStore();
    const { hash } = await under.store.put(from(randomBytes(1000)), MAX);
    for (const [status, code] of [
      [400, 'InvalidRequest'],
      [403, 'InvalidObjectState'],
    ] as const) {
      under.service.fault = () => ({ kind: 'refused', status, code });
      await assert.rejects(under.store.put(from(randomBytes(1000)), MAX), { name: code });
      await assert.rejects(under.store.open(hash), { name: code });
    }
    under.service.fault = () => ({ kind: 'refused', status: 404, code: 'NoSuchKey' });
    assert.equal(await under.store.open(hash), undefined);
    assert.deepEqual(under.refused, []);
  });

  it('works without conditions if the service does not support them', async () => {
    await using under = await startStore({ hasNoConditions: true });
    const contents = [randomBytes(10_000), randomBytes(3_200_000), randomBytes(10_000)];
    for (const content of contents) await under.store.put(from(content), MAX);
    for (const content of contents)
      assert.deepEqual(under.service.objects.get(keyOf(content))?.body, content);
    const puts = under.service.requests.filter(
      (line) => line === `PUT ${keyOf(contents[2] ?? Buffer.alloc(0))}`,
    );
    assert.equal(puts.length, 1, 'it is asked once');
  });

  it('removes uploads and files that were sent and never finished, after a day', async () => {
    await using under = await startStore();
    const day = 24 * 3_600_000;
    const upload = (age: number) => ({
      key: 'here/outputs/some',
      startedAt: new Date(Date.now() - age),
      parts: new Map<number, Buffer>(),
    });
    under.service.uploads.set('old', upload(day + 60_000));
    under.service.uploads.set('young', upload(day - 60_000));
    for (const [name, age] of [
      ['old', day + 60_000],
      ['young', day - 60_000],
    ] as const) {
      const modifiedAt = new Date(Date.now() - age);
      under.service.objects.set(`here/incoming/outputs/${name}`, {
        body: Buffer.from('x'),
        etag: '"x"',
        modifiedAt,
      });
    }
    assert.ok('tidy' in under.store && typeof under.store.tidy === 'function');
    await under.store.tidy();
    assert.deepEqual([...under.service.uploads.keys()], ['young']);
    assert.deepEqual([...under.service.objects.keys()], ['here/incoming/outputs/young']);
  });

  it('resumes a broken body, and retries after a failure of the service', async () => {
    await using under = await startStore();
    const content = randomBytes(1_000_000);
    const { hash } = await under.store.put(from(content), MAX);
    let cuts = 3;
    under.service.fault = (method) => {
      cuts -= 1;
      if (cuts === 2) return { kind: 'unavailable' };
      return method === 'GET' && cuts >= 0 ? { kind: 'truncated', bytes: 300_000 } : undefined;
    };
    const opened = await under.store.open(hash);
    assert.ok(opened);
    assert.deepEqual(await buffer(opened.stream), content);

    const other = randomBytes(100_000);
    let failures = 2;
    under.service.fault = () => {
      failures -= 1;
      return failures >= 0 ? { kind: 'unavailable' } : undefined;
    };
    await under.store.put(from(other), MAX);
    assert.ok(under.service.objects.has(keyOf(other)));
  });

  it('never sends a complete damaged file, and sets it aside', async () => {
    await using under = await startStore();
    const content = randomBytes(200_000);
    const { hash } = await under.store.put(from(content), MAX);
    const object = under.service.objects.get(keyOf(content));
    assert.ok(object);
    const body = Buffer.from(content);
    body[100_000] = (body[100_000] ?? 0) ^ 1;
    under.service.objects.set(keyOf(content), { ...object, body });
    const opened = await under.store.open(hash);
    assert.ok(opened);
    await assert.rejects(buffer(opened.stream), { code: 'file.corrupt' });
    assert.deepEqual(under.corrupt, [hash]);
    assert.equal(await under.store.stat(hash), undefined);
    await assert.rejects(under.store.open(hash), { code: 'file.corrupt' });
    await under.store.put(from(content), MAX);
    assert.deepEqual(await buffer((await under.store.open(hash))?.stream ?? from(Buffer.alloc(0))), content);
  });

  it('[FIL-36] hands large files to the service where clients reach it, as the link has them and no longer than it lives', async () => {
    await using under = await startStore({ hasLinks: true });
    const [large, small] = [await under.put(randomBytes(1_200_000)), await under.put(randomBytes(1000))];
    const link = await under.link(large, { name: 'a cat.png' });
    const first = await fetch(link, { redirect: 'manual' });
    assert.equal(first.status, 302);
    const location = first.headers.get('location') ?? '';
    assert.ok(location.startsWith(under.service.url));
    assert.match(location, /X-Amz-Expires=300/);
    const answer = await fetch(link, { headers: { range: 'bytes=5-9' } });
    assert.equal(answer.status, 206);
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.match(answer.headers.get('content-disposition') ?? '', /^inline; filename="a cat\.png"/);
    assert.equal((await answer.arrayBuffer()).byteLength, 5);
    assert.equal((await fetch(location.replace('outputs%2F', 'x').replace('outputs/', 'x'))).status, 403);
    assert.equal((await fetch(await under.link(small), { redirect: 'manual' })).status, 200);
  });

  it('signs URLs that accept exactly the announced bytes, once', async () => {
    await using under = await startStore({ hasLinks: true });
    const content = randomBytes(10_000);
    const hash = createHash('sha256').update(content).digest('hex');
    const { directUpload, putSent } = under.store;
    assert.ok(directUpload && putSent);
    const { ticket, url, headers } = await directUpload({ hash, size: content.length }, { seconds: 60 });
    const put = async (body: Uint8Array<ArrayBuffer>) =>
      (await fetch(url, { method: 'PUT', headers, body })).status;
    assert.equal(await put(randomBytes(10_000)), 400, 'other bytes');
    assert.equal(await put(content.subarray(1)), 403, 'another size');
    assert.equal(await put(content), 200);
    assert.equal(await put(content), 412);
    assert.equal(await under.store.stat(hash), undefined, 'it is not a file yet');
    const accept = async () => await Promise.reject(new Error('not wanted'));
    const other = await directUpload({ hash, size: content.length }, { seconds: 60 });
    assert.equal(
      (await fetch(other.url, { method: 'PUT', headers: other.headers, body: content })).status,
      200,
    );
    await assert.rejects(putSent(other.ticket, { ...MAX, accept }), { message: 'not wanted' });
    assert.equal(await under.store.stat(hash), undefined);
    assert.equal((await putSent(ticket, MAX))?.hash, hash);
    assert.equal((await under.store.stat(hash))?.size, content.length);
    for (const each of [ticket, other.ticket])
      assert.equal(await putSent(each, MAX), undefined, 'nothing is left');
    assert.deepEqual(await under.spooled(), []);
  });
});

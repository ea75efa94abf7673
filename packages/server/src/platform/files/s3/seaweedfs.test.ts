import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { isLongRun, type RunningSeaweedFs, startSeaweedFs, temporaryFolder } from '@atelier/testing';

import { Secret } from '../../secret.ts';
import { startFileServer } from '../test/file-server.ts';
import { fileStoreContract } from '../test/file-store.contract.ts';
import { checkS3 } from './check-s3.ts';
import { openS3, type S3Settings } from './s3-client.ts';
import { createS3FileStore } from './s3-file-store.ts';

const PART_BYTES = 5 * 2 ** 20;
const MAX = { maxBytes: 10 * PART_BYTES };

describe('the real SeaweedFS', { skip: !isLongRun && 'only in the long run' }, () => {
  let running: RunningSeaweedFs | undefined;
  before(async () => {
    running = await startSeaweedFs();
  });
  after(async () => {
    await running?.[Symbol.asyncDispose]();
  });

  async function open(settings: Partial<S3Settings> = {}) {
    assert.ok(running);
    return await openS3({
      bucket: running.bucket,
      prefix: `${randomUUID()}/`,
      region: running.region,
      endpoint: running.url,
      publicUrl: running.url,
      isPathStyle: true,
      keys: { id: running.accessKeyId, secret: new Secret(running.secretAccessKey) },
      ...settings,
    });
  }

  async function startStore() {
    const s3 = await open();
    const folder = await temporaryFolder();
    const spoolFolder = join(folder.path, 'spool');
    const limits = { multipartBytes: 2 * PART_BYTES, partBytes: PART_BYTES };
    const server = await startFileServer({
      createStore: async (signer) =>
        await createS3FileStore({ s3, name: 'outputs', spoolFolder, signer, ...limits }),
    });
    return {
      ...server,
      s3,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        s3.close();
        await folder[Symbol.asyncDispose]();
      },
    };
  }

  fileStoreContract('S3 file store at SeaweedFS', startStore);

  it('passes the check at the start, unlike a wrong bucket or secret', async () => {
    const cases = [
      [{}, undefined],
      [{ bucket: 'other-bucket' }, /^ATELIER_S3_BUCKET/],
      [{ keys: { id: 'somebody', secret: new Secret('x') } }, /^ATELIER_S3_ACCESS_KEY_ID/],
      [{ keys: { id: 'atelier-test', secret: new Secret('x') } }, /^ATELIER_S3_SECRET_ACCESS_KEY/],
    ] as const;
    for (const [settings, sentence] of cases) {
      const s3 = await open(settings);
      const failure = await checkS3(s3).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );
      if (sentence === undefined) assert.equal(failure, undefined);
      else assert.match(failure ?? '', sentence);
      s3.close();
    }
  });

  it('stores a file that is sent in parts twice, and serves ranges of it', async () => {
    await using under = await startStore();
    const content = randomBytes(3 * PART_BYTES + 7);
    const options = { maxBytes: content.length };
    const { hash } = await under.store.put(Readable.from([content]), options);
    await under.store.put(Readable.from([content]), options);
    const opened = await under.store.open(hash);
    assert.ok(opened);
    assert.ok(content.equals(await buffer(opened.stream)));
    const link = await under.link({ hash, size: content.length, mediaType: 'image/png' });
    const answer = await fetch(link, { headers: { range: 'bytes=5-9' } });
    assert.equal(answer.status, 206);
    assert.match(answer.url, /X-Amz-Signature=/);
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content.subarray(5, 10));
  });

  it('accepts exactly the bytes that a URL was signed for, once', async () => {
    await using under = await startStore();
    const content = randomBytes(100_000);
    const hash = createHash('sha256').update(content).digest('hex');
    const { directUpload, putSent } = under.store;
    assert.ok(directUpload && putSent);
    const { ticket, url, headers } = await directUpload({ hash, size: content.length }, { seconds: 60 });
    const put = async (body: Uint8Array<ArrayBuffer>) =>
      (await fetch(url, { method: 'PUT', headers, body })).status;
    assert.ok([400, 403].includes(await put(randomBytes(100_000))), 'other bytes');
    assert.equal(await put(content.subarray(1)), 403, 'another size');
    assert.equal(await under.store.stat(hash), undefined);
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
  });
});

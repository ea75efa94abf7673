import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { startS3, temporaryFolder } from '@atelier/testing';

import { Secret } from '../../secret.ts';
import { createLocalFileStore } from '../local-file-store.ts';
import { moveFiles } from './move-files.ts';
import { openS3 } from './s3-client.ts';

it('a move copies what the bucket lacks or has in another size, continues after an interruption, and skips damaged files', async () => {
  await using service = await startS3();
  await using folder = await temporaryFolder();
  const s3 = await openS3({
    bucket: service.bucket,
    prefix: '',
    region: service.region,
    endpoint: service.url,
    publicUrl: undefined,
    isPathStyle: true,
    keys: { id: service.accessKeyId, secret: new Secret(service.secretAccessKey) },
  });
  const store = await createLocalFileStore({
    folder: join(folder.path, 'outputs'),
    signer: { sign: () => '' },
  });
  const contents = Array.from({ length: 30 }, () => randomBytes(5000));
  const hashes = contents.map((content) => createHash('sha256').update(content).digest('hex'));
  for (const content of contents) await store.put(Readable.from([content]), { maxBytes: 5000 });
  await store.close();
  const [broken = ''] = hashes;
  const path = join(folder.path, 'outputs', broken.slice(0, 2), broken.slice(2, 4), broken);
  await chmod(path, 0o600);
  await writeFile(path, randomBytes(5000));
  const half = Buffer.alloc(10);
  service.objects.set(`outputs/${hashes[1]}`, { body: half, etag: '"x"', modifiedAt: new Date() });

  const options = { s3, dataFolder: folder.path, name: 'outputs', signal: new AbortController().signal };
  let copied = 0;
  const cut = new AbortController();
  const onProgress = () => {
    copied += 1;
    if (copied === 10) cut.abort(new Error('cut off'));
  };
  await assert.rejects(moveFiles({ ...options, signal: cut.signal, onProgress }), { message: 'cut off' });
  const before = service.objects.size;
  assert.ok(before >= 10 && before < 29);

  const rest = await moveFiles({ ...options, onProgress: () => {} });
  assert.deepEqual(rest.corrupt, [broken]);
  assert.equal(rest.copied + rest.found, 29);
  for (const [index, hash] of hashes.entries()) {
    const object = service.objects.get(`outputs/${hash}`);
    assert.deepEqual(object?.body, index === 0 ? undefined : contents[index]);
  }
  assert.deepEqual(await moveFiles({ ...options, onProgress: () => {} }), {
    copied: 0,
    found: 29,
    bytes: 0,
    corrupt: [broken],
  });
  s3.close();
});

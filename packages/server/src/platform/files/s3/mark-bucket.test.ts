import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startS3, type TestS3, temporaryFolder } from '@atelier/testing';

import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { Secret } from '../../secret.ts';
import { StartError } from '../../start-error.ts';
import { markFolders } from '../mark-folders.ts';
import { assertOwnBucket, markBucket, moveMark } from './mark-bucket.ts';
import { openS3, type S3 } from './s3-client.ts';

const NOW = 1_700_000_000_000;

async function open(service: TestS3): Promise<S3> {
  return await openS3({
    bucket: service.bucket,
    prefix: 'here/',
    region: service.region,
    endpoint: service.url,
    publicUrl: undefined,
    isPathStyle: true,
    keys: { id: service.accessKeyId, secret: new Secret(service.secretAccessKey) },
  });
}

const markIn = (service: TestS3) => service.objects.get('here/.atelier-files')?.body.toString();

async function refusal(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no refusal',
    (error: unknown) => {
      assert.ok(error instanceof StartError, String(error));
      return error.message;
    },
  );
}

onEachDatabase('the mark of a bucket', (db) => {
  const forget = async () => {
    await db().deleteFrom('server_secrets').where('name', 'in', ['files-mark', 's3-mark']).execute();
  };

  it('is made at the first start, by whichever server is first, and found by the others', async () => {
    await forget();
    await using service = await startS3();
    const s3 = await open(service);
    const marks = await Promise.all([1, 2, 3].map(async () => await markBucket(db(), s3, NOW)));
    assert.equal(new Set(marks).size, 1);
    assert.equal(markIn(service), marks[0]);
    await using folder = await temporaryFolder();
    assert.match(
      await refusal(markFolders(db(), [folder.path], NOW)),
      /^The files of this database are in an S3 bucket\./,
    );

    await using empty = await startS3();
    const other = await open(empty);
    assert.match(
      await refusal(markBucket(db(), other, NOW)),
      /^The files of this database are not in s3:\/\/atelier\/here\//,
    );
    assert.equal(empty.objects.size, 0);
    for (const each of [s3, other]) each.close();
  });

  it('is put by the next start after an interrupted one, but never over that of another installation', async () => {
    await forget();
    await using service = await startS3();
    const s3 = await open(service);
    service.fault = (method) => (method === 'PUT' ? { kind: 'unavailable' } : undefined);
    await assert.rejects(markBucket(db(), s3, NOW));
    assert.equal(markIn(service), undefined);
    service.fault = () => undefined;
    const mark = await markBucket(db(), s3, NOW);
    assert.equal(markIn(service), mark);

    await forget();
    assert.match(await refusal(markBucket(db(), s3, NOW)), /holds the files of another Atelier/);
    assert.equal(markIn(service), mark);
    await using folder = await temporaryFolder();
    await markFolders(db(), [folder.path], NOW);
    s3.close();
  });

  it('is refused to a database whose files are on a disk, until they are moved', async () => {
    await forget();
    await using service = await startS3();
    await using folder = await temporaryFolder();
    const s3 = await open(service);
    const mark = await markFolders(db(), [folder.path], NOW);
    assert.match(
      await refusal(markBucket(db(), s3, NOW)),
      /on a disk, not in s3:\/\/atelier\/here\/\. Move them with "npm run admin -- move-files --to s3:\/\/atelier\/here\/"/,
    );
    assert.equal(service.objects.size, 0);
    await assertOwnBucket(db(), s3);
    await moveMark(db(), s3, NOW);
    await moveMark(db(), s3, NOW);
    assert.equal(await markBucket(db(), s3, NOW), mark);
    s3.close();
  });
});

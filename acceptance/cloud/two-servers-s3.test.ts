import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import {
  createPostgresDatabase,
  isLongRun,
  type RunningServer,
  spawnServer,
  startS3,
  startSeaweedFs,
  startServer,
  type TestS3,
  temporaryFolder,
} from '@atelier/testing';

import { download, type FileReference, finish, newSubmitter } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { newPicture, upload } from '../support/user-files.ts';
import '../support/servers.ts';
import { startApart } from '../support/second-server.ts';

const blur = (image: string, radius: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: radius, sigma: 1 } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'out' } },
});

describe('two servers with PostgreSQL and S3, and no folder in common', () => {
  const releases: (() => Promise<void>)[] = [];
  let s3: TestS3 | undefined;
  let first: RunningServer | undefined;
  let second: { readonly url: string } | undefined;
  let shared: Record<string, string> = {};

  before(async () => {
    const database = await createPostgresDatabase();
    releases.push(database.drop);
    // The real one in the long run.
    s3 = isLongRun ? undefined : await startS3();
    const service = s3 ?? (await startSeaweedFs());
    releases.push(async () => await service[Symbol.asyncDispose]());
    shared = { ...service.environment, ATELIER_DATABASE_URL: database.url, ATELIER_RUNNERS: '1' };
    first = await startServer({ environment: shared });
    const { [Symbol.asyncDispose]: endFirst } = first;
    releases.push(async () => await endFirst());
    const other = await startApart(shared);
    second = other;
    releases.push(async () => await other[Symbol.asyncDispose]());
  });
  after(async () => {
    for (const release of releases.toReversed()) await release();
  });

  test('[FIL-32] each serves what was uploaded to and made by the other, and no output replaces another', async () => {
    assert.ok(first && second);
    const { api, key } = await newSubmitter(first);
    const apis = [api, client(second.url, { apiKey: key })] as const;
    const picture = await newPicture(32, 24);
    const { name } = await upload(apis[0], picture);
    const made: FileReference[] = [];
    const jobs = Array.from({ length: 8 }, async (_, index) => {
      const { outputs } = await finish(apis[index % 2] ?? api, blur(name, index + 1));
      made.push(...(outputs['3']?.['images'] ?? []));
    });
    await Promise.all(jobs);
    const names = made.map(({ filename }) => filename).toSorted();
    assert.deepEqual(
      names,
      Array.from({ length: 8 }, (_, index) => `out_0000${index + 1}_.png`),
    );
    for (const file of made) {
      const copies = await Promise.all(apis.map(async (each) => await download(each, file)));
      assert.ok(copies[0] && copies[0].length > 0);
      assert.deepEqual(copies[0], copies[1]);
    }
    if (s3) assert.ok([...s3.objects.keys()].some((object) => object.startsWith('outputs/')));
    const left = await readdir(first.dataFolder);
    for (const folder of ['outputs', 'tasks', 'uploads', 'files'])
      assert.equal(left.includes(folder), false, folder);
  });

  test('[FIL-33] a server without the bucket, or with another one, does not start', async () => {
    assert.ok(first);
    const { ATELIER_DATABASE_URL: database = '' } = shared;
    await using folder = await temporaryFolder();
    await using other = await startS3();
    for (const [settings, sentence] of [
      [{}, /^atelier: The files of this database are in an S3 bucket\. Set ATELIER_S3_BUCKET/m],
      [other.environment, /^atelier: The files of this database are not in s3:\/\/atelier\//m],
    ] as const) {
      const { child, output } = spawnServer({
        ATELIER_DATABASE_URL: database,
        ATELIER_DATA_DIR: folder.path,
        ATELIER_CONSOLE: 'off',
        ...settings,
      });
      const code = await new Promise((resolve) => child.once('exit', resolve));
      assert.equal(code, 1);
      assert.match(output(), sentence);
    }
    assert.equal(other.objects.size, 0);
  });
});

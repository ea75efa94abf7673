import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort, type S3Options, startS3 } from '@atelier/testing';

import { Secret } from '../../secret.ts';
import { StartError } from '../../start-error.ts';
import { checkS3 } from './check-s3.ts';
import { openS3, type S3Settings } from './s3-client.ts';

/** The sentence of a refusal, and that nothing was left in the bucket. */
async function check(options: S3Options, settings: Partial<S3Settings> = {}): Promise<string> {
  await using service = await startS3(options);
  const s3 = await openS3({
    bucket: service.bucket,
    prefix: 'here/',
    region: 'us-east-1',
    endpoint: service.url,
    publicUrl: undefined,
    isPathStyle: true,
    keys: { id: service.accessKeyId, secret: new Secret(service.secretAccessKey) },
    ...settings,
  });
  try {
    await checkS3(s3);
    return 'good';
  } catch (error) {
    assert.ok(error instanceof StartError, String(error));
    return error.message.replace(service.url, 'URL');
  } finally {
    s3.close();
    assert.equal(service.objects.size, 0);
  }
}

describe('the check of an S3 store', () => {
  it('passes for a good one', async () => {
    assert.equal(await check({}), 'good');
  });

  it('[FIL-34] names the setting to look at', async () => {
    const keys = (id: string, secret: string) => ({ keys: { id, secret: new Secret(secret) } });
    assert.equal(
      await check({}, { bucket: 'other' }),
      'ATELIER_S3_BUCKET: there is no bucket other at URL. Create it first.',
    );
    assert.equal(
      await check({ foreign: ['theirs'] }, { bucket: 'theirs' }),
      'ATELIER_S3_BUCKET: these keys may not list the bucket theirs. It belongs to somebody else, or they need the right s3:ListBucket.',
    );
    assert.match(
      await check({ isReadOnly: true }),
      /^ATELIER_S3_BUCKET: the bucket atelier can be read but not written/,
    );
    assert.equal(
      await check({ region: 'eu-central-1' }),
      'ATELIER_S3_REGION is us-east-1, but the bucket atelier is in eu-central-1.',
    );
    assert.equal(await check({}, keys('AKIAOTHER', 'x')), 'ATELIER_S3_ACCESS_KEY_ID is not known at URL.');
    assert.equal(
      await check({}, keys('AKIATEST', 'x')),
      'ATELIER_S3_SECRET_ACCESS_KEY is not the secret of ATELIER_S3_ACCESS_KEY_ID.',
    );
    await using plain = await startS3();
    const endpoint = plain.url.replace('http:', 'https:');
    assert.equal(
      await check({}, { endpoint }),
      `ATELIER_S3_ENDPOINT: there is no TLS at ${endpoint}. Its address may have to begin with http://.`,
    );
    const port = await freePort();
    assert.equal(
      await check({}, { endpoint: `http://127.0.0.1:${port}` }),
      `ATELIER_S3_ENDPOINT: the store at http://127.0.0.1:${port} does not answer (ECONNREFUSED).`,
    );
  });

  it('[FIL-34] notices a clock that is off, by little or by much', async () => {
    for (const [minutes, how] of [
      [6, 'slow'],
      [-6, 'fast'],
      [40, 'slow'],
    ] as const) {
      assert.equal(
        await check({ aheadMs: minutes * 60_000 }),
        `The clock of this machine is ${Math.abs(minutes)} minutes ${how} by the clock of the S3 store, which refuses such requests. Set the clock.`,
      );
    }
  });

  it('[FIL-34] refuses one that takes wrong checksums', async () => {
    assert.match(
      await check({ ignoresChecksums: true }),
      /^ATELIER_S3_ENDPOINT: the store at URL took a file whose SHA-256 was wrong\./,
    );
  });
});

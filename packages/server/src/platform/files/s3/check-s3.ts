import { createHash } from 'node:crypto';

import { isObject } from '@atelier/contracts/is-object';

import { errorCode } from '../../errors/error-code.ts';
import { StartError } from '../../start-error.ts';
import type { S3 } from './s3-client.ts';
import { mayPass, nameOf, statusOf } from './s3-errors.ts';

const PROBE = Buffer.from('atelier');
const WRONG_CHECKSUM = createHash('sha256').update('not atelier').digest('base64');
/** With more, the store would refuse signed links as expired or not yet valid. */
const MAX_SKEW_MS = 5 * 60_000;

/**
 * Tries what the server needs of the store. Throws a `StartError` that names the setting to check. Nothing is written: a good
 * store refuses the only write.
 */
export async function checkS3(s3: S3): Promise<void> {
  const { sdk, client, bucket } = s3;
  try {
    await client.send(
      new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: s3.prefix, MaxKeys: 1 }),
      s3.within(),
    );
  } catch (error) {
    throw unusable(s3, error);
  }
  // The SDK notices and corrects it when it signs.
  const skewMs = client.config.systemClockOffset ?? 0;
  if (Math.abs(skewMs) >= MAX_SKEW_MS) throw new StartError(clockSentence(skewMs));

  const Key = `${s3.prefix}.atelier-check`;
  const probe = { Bucket: bucket, Key, Body: PROBE, ChecksumSHA256: WRONG_CHECKSUM };
  try {
    await client.send(new sdk.PutObjectCommand(probe), s3.within());
  } catch (error) {
    const status = statusOf(error);
    if (status === 400) return;
    const readOnly = `ATELIER_S3_BUCKET: the bucket ${bucket} can be read but not written with these keys. Give them the rights s3:PutObject and s3:DeleteObject.`;
    throw status === 403 ? new StartError(readOnly, { cause: error }) : unusable(s3, error);
  }
  await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }), s3.within());
  throw new StartError(
    `ATELIER_S3_ENDPOINT: the store at ${placeOf(s3)} took a file whose SHA-256 was wrong. Files could be damaged on the way unnoticed, so it cannot be used.`,
  );
}

/** Explains a request that failed at the start. */
export function unusable(s3: S3, error: unknown): StartError {
  return new StartError(explain(s3, error), { cause: error });
}

function explain(s3: S3, error: unknown): string {
  const { bucket, region } = s3;
  const name = nameOf(error);
  const status = statusOf(error);
  if (name === 'CredentialsProviderError')
    return 'ATELIER_S3_ACCESS_KEY_ID and ATELIER_S3_SECRET_ACCESS_KEY are not set, and this machine has no other AWS credentials.';
  if (name === 'NoSuchBucket' || status === 404)
    return `ATELIER_S3_BUCKET: there is no bucket ${bucket} at ${placeOf(s3)}. Create it first.`;
  if (name === 'RequestTimeTooSkewed') return clockSentence(s3.client.config.systemClockOffset ?? 0);
  if (name === 'InvalidAccessKeyId') return `ATELIER_S3_ACCESS_KEY_ID is not known at ${placeOf(s3)}.`;
  if (name === 'SignatureDoesNotMatch')
    return 'ATELIER_S3_SECRET_ACCESS_KEY is not the secret of ATELIER_S3_ACCESS_KEY_ID.';
  const elsewhere = regionIn(error);
  if (
    status === 301 ||
    name === 'AuthorizationHeaderMalformed' ||
    name === 'IllegalLocationConstraintException'
  )
    return `ATELIER_S3_REGION is ${region}, but the bucket ${bucket} is ${elsewhere === undefined ? 'in another region' : `in ${elsewhere}`}.`;
  if (status === 403)
    return `ATELIER_S3_BUCKET: these keys may not list the bucket ${bucket}. It belongs to somebody else, or they need the right s3:ListBucket.`;
  if (errorCode(error) === 'EPROTO')
    return `ATELIER_S3_ENDPOINT: there is no TLS at ${placeOf(s3)}. Its address may have to begin with http://.`;
  const reason = error instanceof Error ? error.message || name : String(error);
  if (mayPass(error) || name === 'AbortError')
    return `ATELIER_S3_ENDPOINT: the store at ${placeOf(s3)} does not answer (${errorCode(error) || reason}).`;
  return `The store at ${placeOf(s3)} refused a request (${name}: ${reason}). Check the settings ATELIER_S3_….`;
}

function clockSentence(skewMs: number): string {
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const how = skewMs > 0 ? 'slow' : 'fast';
  return `The clock of this machine is ${minutes} minutes ${how} by the clock of the S3 store, which refuses such requests. Set the clock.`;
}

export function placeOf({ endpoint, region }: Pick<S3, 'endpoint' | 'region'>): string {
  return endpoint ?? `AWS in ${region}`;
}

function regionIn(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { Region: region, $response: response } = error;
  if (typeof region === 'string') return region;
  const headers = isObject(response) ? response['headers'] : undefined;
  const named = isObject(headers) ? headers['x-amz-bucket-region'] : undefined;
  return typeof named === 'string' ? named : undefined;
}

import { systemClock } from '../../clock.ts';
import type { S3 } from './s3-client.ts';
import { orOutage } from './s3-errors.ts';

const ABANDONED_MS = 24 * 3_600_000;

/** Where clients send files before they are hashed. */
export function incomingPrefix({ prefix }: Pick<S3, 'prefix'>, name: string): string {
  return `${prefix}incoming/${name}/`;
}

export async function deleteObject(s3: S3, key: string, client = s3.client): Promise<void> {
  const command = new s3.sdk.DeleteObjectCommand({ Bucket: s3.bucket, Key: key });
  await orOutage(client.send(command, s3.within()));
}

/** Removes up to a thousand of each kind; the next call continues. */
export async function removeUnfinished(s3: S3, name: string, signal?: AbortSignal): Promise<void> {
  const Bucket = s3.bucket;
  const isOld = (time: Date | undefined): boolean =>
    time !== undefined && systemClock() - time.getTime() >= ABANDONED_MS;

  const uploads = new s3.sdk.ListMultipartUploadsCommand({ Bucket, Prefix: `${s3.prefix}${name}/` });
  const { Uploads = [] } = await orOutage(s3.client.send(uploads, s3.within(signal)), signal);
  for (const { Key, UploadId, Initiated } of Uploads) {
    if (!isOld(Initiated)) continue;
    const abort = new s3.sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    await orOutage(s3.client.send(abort, s3.within(signal)), signal);
  }
  const incoming = new s3.sdk.ListObjectsV2Command({ Bucket, Prefix: incomingPrefix(s3, name) });
  const { Contents = [] } = await orOutage(s3.client.send(incoming, s3.within(signal)), signal);
  for (const { Key = '', LastModified } of Contents) if (isOld(LastModified)) await deleteObject(s3, Key);
}

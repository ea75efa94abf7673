import { FILE_HASH } from '../file-store.ts';
import type { S3 } from './s3-client.ts';
import { orOutage } from './s3-errors.ts';

/** The files of a store in order of their hashes. */
export async function* listFiles(s3: S3, name: string, signal: AbortSignal) {
  const prefix = `${s3.prefix}${name}/`;
  let token: string | undefined;
  do {
    const command = new s3.sdk.ListObjectsV2Command({
      Bucket: s3.bucket,
      Prefix: prefix,
      ...(token !== undefined && { ContinuationToken: token }),
    });
    const page = await orOutage(s3.client.send(command, s3.within(signal)), signal);
    for (const { Key = '', Size: size = -1, LastModified } of page.Contents ?? []) {
      const hash = Key.slice(prefix.length);
      if (FILE_HASH.test(hash)) yield { hash, size, modifiedAt: LastModified?.getTime() ?? 0 };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

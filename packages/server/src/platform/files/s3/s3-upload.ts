import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';

import type { StoredFile } from '../file-store.ts';
import type { S3 } from './s3-client.ts';
import { mayPass, orOutage, statusOf } from './s3-errors.ts';

export interface UploadLimits {
  /** Larger files are sent in parts. A single PUT takes at most 5 GiB. */
  readonly multipartBytes: number;
  readonly partBytes: number;
}

interface Upload {
  readonly path: string;
  readonly key: string;
  readonly file: StoredFile;
  readonly signal?: AbortSignal | undefined;
}

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
const REQUEST_MS = 60_000;
/** A slower connection counts as broken. */
const MIN_BYTES_PER_MS = 50;
const PRECONDITION_FAILED = 412;
const NOT_IMPLEMENTED = 501;

/** Uploads a finished file, with its length and checksum in the headers. Keeps an existing object. */
export async function uploadFile(s3: S3, upload: Upload, limits: UploadLimits): Promise<void> {
  const { path, key, file, signal } = upload;
  if (file.size > limits.multipartBytes) {
    await unlessThere(uploadParts(s3, upload, limits.partBytes));
    return;
  }
  const put = async (condition: Condition) =>
    await s3.client.send(
      new s3.sdk.PutObjectCommand({
        ...condition,
        Bucket: s3.bucket,
        Key: key,
        // An empty stream has no length for the SDK.
        Body: file.size === 0 ? new Uint8Array() : createReadStream(path),
        ContentLength: file.size,
        ChecksumSHA256: toBase64(file.hash),
      }),
      s3.within(signal, msFor(file.size)),
    );
  await unlessThere(
    conditionally(s3, async (condition) => await retried(async () => await put(condition), signal)),
  );
}

/** Each part has a checksum, and the whole has one of these. */
async function uploadParts(s3: S3, { path, key, file, signal }: Upload, partBytes: number): Promise<void> {
  const to = { Bucket: s3.bucket, Key: key };
  const { UploadId } = await orOutage(
    s3.client.send(
      new s3.sdk.CreateMultipartUploadCommand({ ...to, ChecksumAlgorithm: 'SHA256' }),
      s3.within(signal),
    ),
    signal,
  );
  try {
    const parts: CompletedPart[] = [];
    for (let start = 0; start < file.size; start += partBytes) {
      const end = Math.min(start + partBytes, file.size) - 1;
      const checksum = await hashOfPart(path, start, end, signal);
      const part = { PartNumber: parts.length + 1, ChecksumSHA256: checksum };
      const put = async () =>
        await s3.client.send(
          new s3.sdk.UploadPartCommand({
            ...to,
            ...part,
            UploadId,
            Body: createReadStream(path, { start, end }),
            ContentLength: end - start + 1,
          }),
          s3.within(signal, msFor(end - start)),
        );
      const { ETag } = await retried(put, signal);
      parts.push({ ...part, ETag });
    }
    await conditionally(s3, async (condition) => {
      const all = { ...to, ...condition, UploadId, MultipartUpload: { Parts: parts } };
      const complete = new s3.sdk.CompleteMultipartUploadCommand(all);
      await orOutage(s3.client.send(complete, s3.within(signal, msFor(file.size))), signal);
    });
  } catch (error) {
    // If this fails, `tidy` does it a day later.
    const abort = new s3.sdk.AbortMultipartUploadCommand({ ...to, UploadId });
    await s3.client.send(abort, s3.within()).catch(() => undefined);
    throw error;
  }
}

type Condition = { readonly IfNoneMatch?: '*' };

/** The condition only saves work, since a name always has the same bytes. It is dropped if the service does not support it. */
async function conditionally(s3: S3, send: (condition: Condition) => Promise<unknown>): Promise<void> {
  try {
    await send(s3.features.hasConditions ? { IfNoneMatch: '*' } : {});
  } catch (error) {
    if (statusOf(error) !== NOT_IMPLEMENTED || !s3.features.hasConditions) throw error;
    s3.features.hasConditions = false;
    await send({});
  }
}

/** The SDK does not retry, because it cannot send a stream twice. */
async function retried<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let pause = FIRST_PAUSE_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await orOutage(work(), signal);
    } catch (error) {
      if (tries === TRIES || !mayPass(error)) throw error;
      await delay(pause * (0.5 + Math.random()), undefined, signal ? { signal } : {});
      pause *= 2;
    }
  }
}

/** A failed condition means that the same bytes are there, perhaps from a try whose answer was lost. */
async function unlessThere(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (statusOf(error) !== PRECONDITION_FAILED) throw error;
  });
}

async function hashOfPart(path: string, start: number, end: number, signal: AbortSignal | undefined) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { start, end, ...(signal && { signal }) })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('base64');
}

function msFor(bytes: number): number {
  return REQUEST_MS + Math.ceil(bytes / MIN_BYTES_PER_MS);
}

export function toBase64(hash: string): string {
  return Buffer.from(hash, 'hex').toString('base64');
}

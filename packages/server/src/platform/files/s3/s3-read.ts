import { addAbortSignal, Readable } from 'node:stream';

import type { S3 } from './s3-client.ts';
import { isMissing, mayPass, orOutage, statusOf, toOutage } from './s3-errors.ts';

interface Range {
  readonly start: number;
  /** Inclusive. */
  readonly end: number | undefined;
}

/** How often a broken body is requested again without progress. */
const MAX_RESUMES = 3;
const UNSATISFIABLE = 416;

/** Reads a file or a part of it, and resumes a broken body. `undefined` when there is no such file. */
export async function readObject(
  s3: S3,
  key: string,
  { start, end }: Range,
  signal: AbortSignal | undefined,
) {
  const first = await openAt(s3, key, { start, end }, signal);
  if (!first) return undefined;
  const { size, etag } = first;
  const last = Math.min(end ?? size - 1, size - 1);
  let current = first.body;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    let at = start;
    let resumes = 0;
    for (;;) {
      try {
        for await (const chunk of current as AsyncIterable<Uint8Array>) {
          at += chunk.byteLength;
          resumes = 0;
          yield chunk;
        }
        if (at > last) return;
      } catch (error) {
        if (at > last) return;
        if (!mayPass(error)) throw error;
      }
      resumes += 1;
      if (resumes > MAX_RESUMES) throw toOutage(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      const again = await openAt(s3, key, { start: at, end }, signal);
      if (!again) throw new Error('The file was deleted while it was read.');
      current = again.body;
    }
  }

  const stream = Readable.from(bytes(), { objectMode: false });
  // A generator that waits for the store would not notice.
  stream.once('close', () => current.destroy());
  return { size, etag, stream: signal ? addAbortSignal(signal, stream) : stream };
}

/** `size` is that of the whole file. */
async function openAt(s3: S3, key: string, { start, end }: Range, signal?: AbortSignal) {
  const isWhole = start === 0 && end === undefined;
  const command = new s3.sdk.GetObjectCommand({
    Bucket: s3.bucket,
    Key: key,
    ...(!isWhole && { Range: `bytes=${start}-${end ?? ''}` }),
  });
  try {
    const answer = await s3.client.send(command, signal ? { abortSignal: signal } : {});
    const total = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
    const size = total === undefined ? (answer.ContentLength ?? 0) : Number(total);
    return { body: answer.Body as Readable, size, etag: answer.ETag };
  } catch (error) {
    signal?.throwIfAborted();
    if (isMissing(error)) return undefined;
    if (statusOf(error) !== UNSATISFIABLE) throw toOutage(error);
    const size = await sizeOf(s3, key, { signal });
    return size === undefined ? undefined : { body: Readable.from([]), size, etag: undefined };
  }
}

export async function sizeOf(
  s3: S3,
  key: string,
  {
    signal,
    client = s3.client,
  }: { readonly signal?: AbortSignal | undefined; readonly client?: S3['client'] } = {},
): Promise<number | undefined> {
  try {
    const command = new s3.sdk.HeadObjectCommand({ Bucket: s3.bucket, Key: key });
    const { ContentLength = 0 } = await orOutage(client.send(command, s3.within(signal)), signal);
    return ContentLength;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

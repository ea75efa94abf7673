import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { AppError } from '../errors/app-error.ts';
import { orAborted } from '../or-aborted.ts';
import type { PutOptions, StoredFile } from './file-store.ts';
import { DETECTION_BYTES, detectMediaType } from './media-types.ts';

/** Hashes, counts and samples a source while a store reads it. */
export function measureSource(
  source: AsyncIterable<unknown>,
  options: Pick<PutOptions, 'maxBytes' | 'signal'>,
) {
  const hash = createHash('sha256');
  const head = Buffer.alloc(DETECTION_BYTES);
  let size = 0;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of abortable(source, options.signal)) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError('A file is made of bytes.');
      if (size + chunk.byteLength > options.maxBytes) {
        throw tooLarge(options.maxBytes);
      }
      hash.update(chunk);
      if (size < head.length) head.set(chunk.subarray(0, head.length - size), size);
      size += chunk.byteLength;
      yield chunk;
    }
  }

  return {
    /** The bytes of the source, at most `maxBytes`. Can be read once. */
    chunks: chunks(),
    async describe(): Promise<StoredFile> {
      const mediaType = await detectMediaType(head.subarray(0, size));
      return { hash: hash.digest('hex'), size, mediaType };
    },
  };
}

/** Ends with the signal even if the source hangs, while `stream.pipeline` would wait for a generator that hangs. */
async function* abortable(source: AsyncIterable<unknown>, signal: AbortSignal | undefined): AsyncGenerator {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = signal ? await orAborted(iterator.next(), signal) : await iterator.next();
      ended = next.done === true;
      if (ended) return;
      yield next.value;
    }
  } finally {
    if (!ended && source instanceof Readable) source.destroy();
    else if (!ended) iterator.return?.().catch(() => undefined);
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('file.too_large', `The file is larger than ${maxBytes} bytes.`);
}

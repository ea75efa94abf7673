import type { Readable } from 'node:stream';

/** Reads to the end. Destroys the source and returns `undefined` when it is longer than `maxBytes`. */
export async function readBounded(source: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

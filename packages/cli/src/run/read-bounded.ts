import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';

/** A stream as text; `undefined` if it exceeds the limit. A device or a pipe may never end. */
export async function readBounded(
  stream: Readable,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

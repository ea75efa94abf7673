import { open } from 'node:fs/promises';

import { DETECTION_BYTES, detectMediaType } from './media-types.ts';

/** The media type of a file, or of bytes in memory. */
export async function detectedType(source: string | Uint8Array): Promise<string> {
  return await detectMediaType(await readHead(source));
}

/** The bytes that decide the type. */
export async function readHead(source: string | Uint8Array): Promise<Buffer> {
  if (typeof source !== 'string') return Buffer.from(source.subarray(0, DETECTION_BYTES));
  await using handle = await open(source, 'r');
  const head = Buffer.alloc(DETECTION_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}

import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';

import { DETECTION_BYTES, detectMediaType, OCTET_STREAM } from '../../platform/files/media-types.ts';

/** What no detector can tell apart from other text. A browser runs none of them: they are attachments, or plain text. */
const TYPE_OF_EXTENSION: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  srt: 'text/plain',
  json: 'application/json',
};
const NO_EXTENSION = 'bin';

/** The type that the content has, or where it shows none, the one that the name promises. */
export function mediaTypeOf(detected: string, fileName: string): string {
  if (detected !== OCTET_STREAM) return detected;
  return TYPE_OF_EXTENSION[ownExtension(fileName)] ?? detected;
}

/** What the first bytes of a file show. */
export async function detectedType(path: string): Promise<string> {
  return await detectMediaType(await readHead(path));
}

/** Without the dot: of the content where that can be told, else of the name, cleaned. */
export async function extensionFor(path: string, fileName: string): Promise<string> {
  const head = await readHead(path);
  const mediaType = await detectMediaType(head);
  if (mediaType === OCTET_STREAM) return ownExtension(fileName);
  if (mediaType === 'image/tiff') return 'tif';
  return (await fileTypeFromBuffer(head))?.ext ?? ownExtension(fileName);
}

function ownExtension(fileName: string): string {
  return /\.([a-z0-9]{1,10})$/.exec(fileName.trim().toLowerCase())?.[1] ?? NO_EXTENSION;
}

/** The bytes that decide its type. */
export async function readHead(path: string): Promise<Buffer> {
  await using handle = await open(path, 'r');
  const head = Buffer.alloc(DETECTION_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}

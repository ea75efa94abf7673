import { readFile } from 'node:fs/promises';

import { PackError, quoted } from '../pack-error.ts';
import { locate } from './locate-file.ts';

const MAX_BYTES = 1024 * 1024;

/** A short text of the folder, without a byte order mark; `undefined` if there is none. */
export async function readText(root: string, path: string): Promise<string | undefined> {
  const file = await locate(root, path);
  if (file.kind === 'missing') return undefined;
  if (file.kind !== 'file') throw new PackError(`${quoted(path)} is ${file.why}. Put a plain file there.`);
  if (file.bytes > MAX_BYTES) {
    throw new PackError(`${quoted(path)} has more than ${MAX_BYTES} bytes. Make it shorter.`);
  }
  const bytes = await readFile(file.source);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new PackError(`${quoted(path)} is not text in UTF-8. Save it in that encoding.`, { cause: error });
  }
}

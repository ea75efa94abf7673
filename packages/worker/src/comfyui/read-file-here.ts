import { copyFile, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { SavedFile } from '@atelier/nodes/save-path';

import { type DownloadOptions, type Fetched, MAX_IN_MEMORY_BYTES, TooLarge } from './comfyui-client.ts';
import type { Roots } from './remove-files.ts';

/**
 * Reads a file of a ComfyUI on this machine from its disk, because a request takes about 4 ms and slows ComfyUI down. `undefined` when it
 * cannot be read here, for example when ComfyUI runs in a container.
 */
export async function readFileHere(
  roots: Roots,
  { type, subfolder, filename }: SavedFile,
  { maxBytes, newPath }: Omit<DownloadOptions, 'signal'>,
): Promise<Fetched | undefined> {
  try {
    const root = roots[type];
    if (root === undefined) return undefined;
    const named = join(root, subfolder, filename);
    // A node may leave a link that points out of the folder, or a pipe that nobody writes to.
    const [path, inside, stats] = await Promise.all([realpath(named), realpath(root), stat(named)]);
    if (!path.startsWith(inside + sep) || !stats.isFile()) return undefined;
    const { size } = stats;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    if (size <= MAX_IN_MEMORY_BYTES) return await readFile(path);
    const to = await newPath();
    await copyFile(path, to);
    return to;
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    return undefined;
  }
}

import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** With the folders above it. Node's own `recursive` never ends in a folder such as /proc, which takes none. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(path))) return;
    const parent = dirname(resolve(path));
    if (code !== 'ENOENT' || (await isFolder(parent))) throw error;
    await makeFolder(parent, mode);
    await mkdir(path, { mode });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

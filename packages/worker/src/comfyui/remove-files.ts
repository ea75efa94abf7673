import { rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { SavedFile } from '@atelier/nodes/save-path';

type Roots = Readonly<Record<SavedFile['type'], string>>;

/** Where a ComfyUI in this folder keeps its files, when it was started with these arguments. */
export function foldersOf(folder: string, argv: readonly string[]): Roots {
  const valueOf = (flag: string): string | undefined => {
    const at = argv.indexOf(flag);
    return at === -1 ? undefined : argv[at + 1];
  };
  const base = resolve(folder, valueOf('--base-directory') ?? '.');
  const at = (name: string): string => resolve(folder, valueOf(`--${name}-directory`) ?? join(base, name));
  const temp = valueOf('--temp-directory');
  return {
    input: at('input'),
    output: at('output'),
    // ComfyUI makes a folder `temp` in the one that it is given.
    temp: temp === undefined ? join(base, 'temp') : resolve(folder, temp, 'temp'),
  };
}

/** Removes what an attempt has left. ComfyUI has no request for that. `own` is the attempt's folder in each of the roots. */
export async function removeFiles(roots: Roots, own: string, fetched: readonly SavedFile[]): Promise<void> {
  const folders = [join(roots.input, own), join(roots.input, '3d', own), join(roots.output, own)];
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  for (const { type, subfolder, filename } of fetched) {
    const path = resolve(roots[type], subfolder, filename);
    if (type !== 'input' && path.startsWith(roots[type] + sep)) await rm(path, { force: true });
  }
}

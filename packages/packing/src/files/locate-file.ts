import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

import { hasCode } from '../pack-error.ts';

export interface LocatedFile {
  readonly kind: 'file';
  /** The real path of the content. */
  readonly source: string;
  /** The real path from the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

/** `why` ends the sentence "It was left out because it is …". */
type Located = LocatedFile | { readonly kind: 'folder' | 'missing' | 'unusable'; readonly why: string };

const FOLDER = 'a submodule of Git, or a link to a folder; name it in includes of [tool.comfy] to pack it';
const unusable = (why: string) => ({ kind: 'unusable', why }) as const;

/** The target of a path of the folder, never outside it. `root` must be resolved. */
export async function locate(root: string, path: string): Promise<Located> {
  try {
    const source = await realpath(join(root, path));
    const inside = relative(root, source);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return unusable('a link that leads out of the folder');
    }
    const found = await stat(source);
    if (found.isDirectory()) return { kind: 'folder', why: FOLDER };
    if (!found.isFile()) return unusable('not a regular file');
    return { kind: 'file', source, path: inside.replaceAll(sep, '/'), bytes: found.size };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return { kind: 'missing', why: 'missing' };
    if (hasCode(error, 'ELOOP')) return unusable('a link to itself');
    if (hasCode(error, 'EACCES', 'EPERM')) return unusable('not readable');
    throw error;
  }
}

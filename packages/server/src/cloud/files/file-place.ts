import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Folders } from '@atelier/engine';

import { errorCode } from '../../platform/errors/error-code.ts';

import type { FolderName } from './assets.repo.ts';

/** Where a file of a user is. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FilePlace {
  readonly folder: FolderName;
  readonly subfolder: string;
  readonly fileName: string;
}

const ANNOTATION = / ?\[(input|output|temp)\]$/;
const MAX_PATH_LENGTH = 1024;
/** Most disks have room for so many bytes in a name. */
export const MAX_NAME_BYTES = 255;

const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

export function isFolderName(value: unknown): value is FolderName {
  return value === 'input' || value === 'output' || value === 'temp';
}

/** For refusals of what `toPlace` does not take. */
export const PLACE_EXPECTS =
  'a relative path below your folder, without ".." and control characters, and with at most 255 bytes for each name';

/**
 * A name in a folder, perhaps with a path before it, such as `sub/cat.png`. `undefined` for whatever could lead out of the
 * folder or is not a name.
 */
export function toPlace(
  name: string,
  { folder, subfolder = '' }: { readonly folder: FolderName; readonly subfolder?: string },
): FilePlace | undefined {
  const inner = name.replaceAll('\\', '/');
  const outer = subfolder.replaceAll('\\', '/');
  if (inner === '' || inner.endsWith('/')) return undefined;
  if ([inner, outer].some((part) => part.startsWith('/') || /^[a-z]:\//i.test(part))) return undefined;
  const path = `${outer}/${inner}`;
  if (path.length > MAX_PATH_LENGTH || /\p{Cc}/u.test(path) || !path.isWellFormed()) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const fileName = parts.at(-1);
  if (fileName === undefined) return undefined;
  if (parts.some((part) => part === '..' || Buffer.byteLength(part) > MAX_NAME_BYTES)) return undefined;
  return { folder, subfolder: parts.slice(0, -1).join('/'), fileName };
}

/** The same for a name as clients write it: ` [output]` behind it goes before the folder. */
export function toAnnotatedPlace(
  name: string,
  within: { readonly folder: FolderName; readonly subfolder?: string },
): FilePlace | undefined {
  const annotated = ANNOTATION.exec(name)?.[1];
  if (!isFolderName(annotated)) return toPlace(name, within);
  return toPlace(name.replace(ANNOTATION, ''), { ...within, folder: annotated });
}

export function pathOf(folders: Folders, { folder, subfolder, fileName }: FilePlace): string {
  return join(folders[folder], ...subfolder.split('/'), fileName);
}

/** The path of a plain file that is really there, and not a link to somewhere else; `undefined` for anything else. */
export async function findFile(folders: Folders, place: FilePlace): Promise<string | undefined> {
  try {
    const root = await realpath(folders[place.folder]);
    const path = await realpath(pathOf(folders, place));
    if (path !== pathOf({ ...folders, [place.folder]: root }, place) || !path.startsWith(root + sep))
      return undefined;
    return (await stat(path)).isFile() ? path : undefined;
  } catch (error) {
    if (NO_FILE.has(errorCode(error))) return undefined;
    throw error;
  }
}

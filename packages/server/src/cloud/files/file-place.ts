import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Folders, toFilePath } from '@atelier/engine';
import { isMissingFile } from '../../platform/files/missing-file.ts';

import type { FolderName } from './assets.repo.ts';

/** Where a file of a user is. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FilePlace {
  readonly folder: FolderName;
  readonly subfolder: string;
  readonly fileName: string;
}

const ANNOTATION = / ?\[(input|output|temp)\]$/;

export function isFolderName(value: unknown): value is FolderName {
  return value === 'input' || value === 'output' || value === 'temp';
}

/** A name in a folder, perhaps with a path before it. `undefined` for what `toFilePath` does not take. */
export function toPlace(
  name: string,
  { folder, subfolder = '' }: { readonly folder: FolderName; readonly subfolder?: string },
): FilePlace | undefined {
  const path = toFilePath(name, subfolder);
  return path && { folder, ...path };
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
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

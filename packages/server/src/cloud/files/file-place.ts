import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Folders, toFilePath } from '@atelier/engine';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { isMissingFile } from '../../platform/files/missing-file.ts';

export type FolderName = AssetRow['folder'];

/** Where a file of a user is. `subfolder` is separated by slashes, without a leading or trailing one; `''` is the folder itself. */
export interface FilePlace {
  readonly folder: FolderName;
  readonly subfolder: string;
  readonly fileName: string;
}

const ANNOTATION = / ?\[(input|output|temp)\]$/;

export function isFolderName(value: unknown): value is FolderName {
  return value === 'input' || value === 'output' || value === 'temp';
}

/** The place of a name in a folder; the name may have a path before it. `undefined` when `toFilePath` refuses it. */
export function toPlace(
  name: string,
  { folder, subfolder = '' }: { readonly folder: FolderName; readonly subfolder?: string },
): FilePlace | undefined {
  const path = toFilePath(name, subfolder);
  return path && { folder, ...path };
}

/** The same for a name as clients write it: a suffix such as ` [output]` overrides the folder. */
export function toAnnotatedPlace(
  name: string,
  within: { readonly folder: FolderName; readonly subfolder?: string },
): FilePlace | undefined {
  const annotated = ANNOTATION.exec(name)?.[1];
  if (!isFolderName(annotated)) return toPlace(name, within);
  return toPlace(name.replace(ANNOTATION, ''), { ...within, folder: annotated });
}

export function placeOf({
  folder,
  subfolder,
  file_name: fileName,
}: Pick<AssetRow, 'folder' | 'subfolder' | 'file_name'>): FilePlace {
  return { folder, subfolder, fileName };
}

/** The path of a file below its folder. */
export function pathBelowFolder({ subfolder, fileName }: Omit<FilePlace, 'folder'>): string {
  return subfolder === '' ? fileName : `${subfolder}/${fileName}`;
}

export function pathOf(folders: Folders, { folder, subfolder, fileName }: FilePlace): string {
  return join(folders[folder], ...subfolder.split('/'), fileName);
}

/** The path of a plain file; `undefined` when there is none, or when a link leads elsewhere. */
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

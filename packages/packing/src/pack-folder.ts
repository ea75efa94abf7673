import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { DEFAULT_PACK_MAX_MB } from '@atelier/contracts';
import { INSPECTION_LIMITS, readEntryPath, UnusableArchive } from '@atelier/inspection';

import { chooseFiles, type LeftOut, type PackFile } from './files/choose-files.ts';
import { hasCode, PackError } from './pack-error.ts';
import type { Project } from './pyproject/check-project.ts';
import { readPyproject } from './pyproject/read-pyproject.ts';
import { nameLargest, writeZip } from './write-zip.ts';

export const DEFAULT_MAX_ARCHIVE_BYTES = DEFAULT_PACK_MAX_MB * 1024 * 1024;

export interface PackOptions {
  /** `ATELIER_PACK_MAX_MB` of the server, in bytes. */
  readonly maxArchiveBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Pack {
  readonly project: Project;
  readonly archive: Uint8Array<ArrayBuffer>;
  /** The checksum of the registry: `sha256:` and the hash of the archive. */
  readonly checksum: string;
  readonly files: readonly Pick<PackFile, 'path' | 'bytes'>[];
  readonly leftOut: readonly LeftOut[];
  /** Sentences for the author. They do not stop a publish. */
  readonly warnings: readonly string[];
}

/** Packs a folder for a publish. Throws a `PackError` if it cannot be published. */
export async function packFolder(folder: string, options: PackOptions = {}): Promise<Pack> {
  const { maxArchiveBytes = DEFAULT_MAX_ARCHIVE_BYTES, signal } = options;
  const root = await rootOf(folder);
  const project = await readPyproject(root);
  const { files, leftOut, warnings } = await chooseFiles(root, project.includes, signal);
  checkFiles(files, folder);
  const archive = await writeZip(files, { maxBytes: maxArchiveBytes, signal });
  return {
    project,
    archive,
    checksum: `sha256:${createHash('sha256').update(archive).digest('hex')}`,
    files: files.map(({ path, bytes }) => ({ path, bytes })),
    leftOut,
    warnings: [...project.warnings, ...warnings],
  };
}

async function rootOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    throw new PackError(`There is no folder ${folder}. Name the folder of a node pack.`, { cause: error });
  }
}

/** Refuses what every server would refuse, before a version number is used up. */
function checkFiles(files: readonly PackFile[], folder: string): void {
  if (files.every(({ path }) => path === 'pyproject.toml')) {
    throw new PackError(
      `${folder} has nothing to pack besides pyproject.toml. Add the pack's files, and check .comfyignore and what Git tracks.`,
    );
  }
  const { entries, inflatedBytes } = INSPECTION_LIMITS;
  if (files.length > entries) {
    throw new PackError(
      `The pack has ${files.length} files, and a pack may have ${entries}. List what it can do without in .comfyignore.`,
    );
  }
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > inflatedBytes) {
    throw new PackError(`The pack has more than ${inflatedBytes} bytes. ${nameLargest(files)}`);
  }
  for (const { path } of files) checkName(path);
}

function checkName(path: string): void {
  try {
    readEntryPath(path, INSPECTION_LIMITS);
  } catch (error) {
    if (!(error instanceof UnusableArchive)) throw error;
    throw new PackError(`${error.message} Rename the file.`, { cause: error });
  }
}

import { readFile, stat } from 'node:fs/promises';
import { type ArchiveCheck, checkArchive } from '@atelier/inspection';

import { hasCode, PackError } from './pack-error.ts';
import { DEFAULT_MAX_ARCHIVE_BYTES, type Pack, type PackOptions, packFolder } from './pack-folder.ts';

export interface PackCheck extends ArchiveCheck {
  /** How the folder was packed. Absent for a zip file, which does not name its publisher. */
  readonly pack?: Pack;
}

/** Inspects a folder or a zip file without a server, as a server does after a publish. */
export async function checkPack(path: string, options: PackOptions = {}): Promise<PackCheck> {
  const found = await describe(path);
  if (found.isDirectory()) {
    const pack = await packFolder(path, options);
    return { pack, ...(await checkArchive(pack.archive, options)) };
  }
  const { maxArchiveBytes = DEFAULT_MAX_ARCHIVE_BYTES, signal } = options;
  if (!found.isFile())
    throw new PackError(`${path} is neither a folder nor a file. Name a folder or a zip file.`);
  if (found.size > maxArchiveBytes) {
    throw new PackError(
      `${path} has ${found.size} bytes, and an archive may have ${maxArchiveBytes}. Leave out what the pack can do without.`,
    );
  }
  const archive = await readFile(path, { signal });
  // A file named .zip is always inspected, so that the report says what is wrong with it.
  if (!path.endsWith('.zip') && !archive.toString('latin1', 0, 2).startsWith('PK'))
    throw new PackError(`${path} is not a zip file. Name a folder or a zip file.`);
  return await checkArchive(archive, { signal });
}

async function describe(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    throw new PackError(`${path} cannot be found. Name a folder or a zip file.`, { cause: error });
  }
}

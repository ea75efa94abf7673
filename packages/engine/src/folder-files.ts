import { createHash, hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, link, mkdir, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileExists, type FileRef, type FolderName, type JobFiles } from './files.ts';
import { Interrupted, NodeError } from './node-error.ts';

const MAX_WHOLE_BYTES = 32 * 2 ** 20;

export type Folders = Readonly<Record<FolderName, string>>;

export interface FolderFiles extends JobFiles {
  close(): Promise<void>;
}

/** The `openFiles` of a module for jobs whose files are not on this machine. */
export type OpenFiles = (
  options: unknown,
  own: {
    /** Does not exist yet; `close` removes it. */ readonly scratch: string;
    readonly signal: AbortSignal;
  },
) => FolderFiles;

export function createFolderFiles(
  folders: Folders,
  { scratch: scratchName }: { readonly scratch?: string } = {},
): FolderFiles {
  let scratch: string | undefined;
  let closed = false;

  function pathOf({ folder, subfolder, name }: FileRef): string {
    // Code that goes on after the end of its job must not touch files.
    if (closed) throw new Interrupted();
    const root = resolve(folders[folder]);
    const path = resolve(root, subfolder, name);
    if (!path.startsWith(root + sep) || path.includes('\0')) {
      throw new NodeError('FileNotFoundError', `Invalid file name: ${name}`);
    }
    return path;
  }

  /** Creates the folder only if it is missing, because most exist already. */
  async function makeAt(ref: FileRef, make: (path: string) => Promise<void>): Promise<void> {
    const path = pathOf(ref);
    try {
      await make(path).catch(async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
        await mkdir(join(path, '..'), { recursive: true });
        await make(path);
      });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new FileExists(ref);
      throw error;
    }
  }

  return {
    async list(folder, subfolder) {
      const entries = await readdir(pathOf({ folder, subfolder, name: '.list' }).slice(0, -'.list'.length), {
        withFileTypes: true,
      }).catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)));
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },

    async exists(ref) {
      return await access(pathOf(ref)).then(
        () => true,
        () => false,
      );
    },

    async sizeBytes(ref) {
      return (await found(ref, stat(pathOf(ref)))).size;
    },

    async read(ref) {
      return await found(ref, readFile(pathOf(ref)));
    },

    async localPath(ref) {
      const path = pathOf(ref);
      await found(ref, access(path));
      return path;
    },

    async contentHash(ref) {
      const path = pathOf(ref);
      const { size } = await found(ref, stat(path));
      // Reading the whole file is several times as fast as streaming it.
      if (size <= MAX_WHOLE_BYTES) return hash('sha256', await found(ref, readFile(path)), 'hex');
      const running = createHash('sha256');
      await found(ref, pipeline(createReadStream(path), running));
      return running.digest('hex');
    },

    async modifiedMs(ref) {
      return (await found(ref, stat(pathOf(ref)))).mtimeMs;
    },

    async create(ref, content) {
      await makeAt(ref, async (path) => await writeFile(path, content, { flag: 'wx' }));
    },

    async adopt(ref, localPath) {
      // A link fails if the name is taken, where a rename would replace the file.
      await makeAt(ref, async (path) => await link(localPath, path));
      await unlink(localPath);
    },

    async scratchPath(extension) {
      if (closed) throw new Interrupted();
      scratch ??= scratchFolder(folders.temp, scratchName ?? randomUUID());
      await mkdir(scratch, { recursive: true });
      return join(scratch, `${randomUUID()}.${extension}`);
    },

    async close() {
      closed = true;
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    },
  };
}

async function found<T>(ref: FileRef, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new NodeError('FileNotFoundError', `There is no file ${ref.name} in ${ref.folder}.`, {
      cause: error,
    });
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function scratchFolder(folder: string, name: string): string {
  return join(folder, `.scratch-${name}`);
}

/** Removes the scratch files of a job whose process is gone. */
export async function removeScratch(folder: string, name: string): Promise<void> {
  await rm(scratchFolder(folder, name), { recursive: true, force: true });
}

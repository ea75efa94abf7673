import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFolderFiles, type Folders } from '@atelier/engine';

import { errorCode } from '../../platform/errors/error-code.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findAssetAt } from './assets.repo.ts';
import { findFile, pathOf, placeOf } from './file-place.ts';
import { type MadeFile, nameTaken, type Places } from './places.ts';
import { removeStrays } from './remove-strays.ts';

interface Parts extends ServiceParts {
  readonly store: Pick<FileStore, 'copyTo'>;
  readonly folder: string;
  readonly tempMs: number;
}

/** How many users' folders are remembered to exist. */
const MAX_REMEMBERED = 10_000;
/** A name is a file or a folder, not both. */
const NAME_TAKEN = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY']);
/** The name of the staging folder, next to the users' folders. */
export const STAGING = '.staging';

/** A folder for each user. Its files are those of the store under their names, as hard links where the disk supports them. */
export function createFolderPlaces(parts: Parts): Places {
  const { db, store, folder: root } = parts;
  const haveFolders = new Set<string>();

  function pathsOf(userId: string): Folders {
    if (!/^[\w-]+$/.test(userId)) throw new Error('A user id has letters, digits and hyphens.');
    // Not with `join`: every submission asks for these paths, and few need them.
    const own = `${root}${sep}${userId}${sep}`;
    return { input: `${own}input`, output: `${own}output`, temp: `${own}temp` };
  }

  async function foldersOf(userId: string): Promise<Folders> {
    const folders = pathsOf(userId);
    if (haveFolders.has(userId)) return folders;
    for (const each of Object.values(folders)) await mkdir(each, { recursive: true, mode: 0o700 });
    haveFolders.add(userId);
    if (haveFolders.size > MAX_REMEMBERED) haveFolders.delete(haveFolders.keys().next().value ?? '');
    return folders;
  }

  /** Creating a link fails when the name is taken. */
  async function make(file: MadeFile, path: string): Promise<boolean> {
    const folders = await foldersOf(file.userId);
    const target = pathOf(folders, file);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const parent = join(await realpath(folders[file.folder]), ...file.subfolder.split('/'));
      if ((await realpath(dirname(target))) !== parent) return false;
      await link(path, target);
      return true;
    } catch (error) {
      if (NAME_TAKEN.has(errorCode(error))) return false;
      throw error;
    }
  }

  return {
    foldersOf,
    foldersFor: async (userId) => ({
      folders: await foldersOf(userId),
      [Symbol.asyncDispose]: async () => {},
    }),
    namesOf: (userId) => createFolderFiles(pathsOf(userId)),

    async find(userId, place) {
      const path = await findFile(await foldersOf(userId), place);
      if (path === undefined) return undefined;
      const { size, mtimeMs: modifiedMs } = await stat(path);
      const asset = await findAssetAt(db, userId, place);
      const sha256 = asset?.size === size ? asset.content_hash : await hashOf(path);
      const open = async () => await Promise.resolve(createReadStream(path, { end: Math.max(size - 1, 0) }));
      return { size, sha256, modifiedMs, open };
    },

    async show(asset, source) {
      const place = placeOf(asset);
      const path = pathOf(pathsOf(asset.user_id), place);
      if (path === source) return;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await store.copyTo(asset.content_hash, path);
      } catch (error) {
        throw NAME_TAKEN.has(errorCode(error)) ? nameTaken(place) : error;
      }
    },

    hide: async (asset) => await rm(pathOf(pathsOf(asset.user_id), placeOf(asset)), { force: true }),

    make,
    async makeAgain(file) {
      await mkdir(join(root, STAGING), { recursive: true, mode: 0o700 });
      const path = join(root, STAGING, randomToken(16));
      try {
        return (await store.copyTo(file.sha256, path)) ? await make(file, path) : undefined;
      } finally {
        await rm(path, { force: true });
      }
    },

    // Nothing can be sent to a disk without the server.
    makeSent: async () => await Promise.resolve(undefined),
    async findUnclaimed(userId, place) {
      const folders = pathsOf(userId);
      return await Promise.resolve({ path: pathOf(folders, place), within: folders[place.folder] });
    },
    kept: async () => {},
    drop: async (userId, place) => await rm(pathOf(pathsOf(userId), place), { force: true }),
    clear: async (userId) => await rm(dirname(pathsOf(userId).input), { recursive: true, force: true }),
    tidy: async () => await removeStrays(parts),
  };
}

async function hashOf(path: string): Promise<string> {
  const running = createHash('sha256');
  await pipeline(createReadStream(path), running);
  return running.digest('hex');
}

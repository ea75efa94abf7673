import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import { DIRECT_BYTES, type MeasuredFile, type PutOptions } from '../../platform/files/file-store.ts';
import { randomToken } from '../../platform/ids.ts';
import { placesIn } from '../workers/node-types/names-in-graph.ts';
import { findAssetAt, findContentOf, lockContent, lockStorageUse } from './assets.repo.ts';
import type { UserFilesParts } from './create-user-files.ts';
import { type FilePlace, pathOf, placeOf } from './file-place.ts';
import { STAGING } from './folder-places.ts';
import * as repo from './made-files.repo.ts';
import { type MadeFile, nameTaken, type Places } from './places.ts';
import { sweepContent } from './sweep-content.ts';

/** An attempt that ended this long ago names no more files. */
const ABANDONED_MS = 3_600_000;
const MAX_CHECKED_FILES = 50;

class OtherBytes extends Error {
  override readonly name = 'OtherBytes';
}

class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
}

/** Names are rows, so servers need no common folder. `folder` is used for temporary files only: the bytes of every named file are in the store. */
export function createRowPlaces({ db, clock, store, folder: root }: UserFilesParts): Places {
  const findAt = async (userId: string, place: FilePlace) =>
    (await findAssetAt(db, userId, place)) ?? (await repo.findMadeAt(db, userId, place));

  /** The row is inserted before the bytes, so that a concurrent sweep keeps them. */
  async function claim(tx: Db, file: MadeFile, content: MeasuredFile): Promise<boolean> {
    const { userId, jobId, folder, subfolder, fileName } = file;
    await lockStorageUse(tx, userId);
    await lockContent(tx, content.hash);
    if (await findAssetAt(tx, userId, file)) return false;
    if (await repo.isBlocked(tx, userId, file)) return false;
    return await repo.insertMade(tx, {
      user_id: userId,
      folder,
      subfolder,
      file_name: fileName,
      job_id: jobId,
      content_hash: content.hash,
      blake3: content.blake3,
      size: content.size,
      media_type: content.mediaType,
      created_at: clock(),
    });
  }

  /** Puts the bytes into the store once the file has its place. `undefined` when they are missing or have another hash. */
  async function makeVia(
    file: MadeFile,
    put: (options: PutOptions<MeasuredFile>) => Promise<MeasuredFile | undefined>,
  ): Promise<boolean | undefined> {
    let isClaimed = false;
    const accept = async (content: MeasuredFile) => {
      if (content.hash !== file.sha256) throw new OtherBytes();
      isClaimed = await withTransaction(db, async (tx) => await claim(tx, file, content));
      if (!isClaimed) throw new PlaceTaken();
    };
    try {
      return (await put({ maxBytes: file.size, accept })) ? true : undefined;
    } catch (error) {
      if (error instanceof PlaceTaken) return false;
      if (error instanceof OtherBytes) return undefined;
      if (isClaimed) await drop(file.userId, file);
      throw error;
    }
  }

  async function drop(userId: string, place: FilePlace): Promise<void> {
    const gone = await repo.deleteMade(db, userId, place);
    if (gone) await sweepContent({ db, store }, gone.content_hash);
  }

  return {
    foldersOf: async () => await Promise.resolve(undefined),

    async foldersFor(userId, texts) {
      const own = join(root, STAGING, randomToken(16));
      const folders = { input: join(own, 'input'), output: join(own, 'output'), temp: join(own, 'temp') };
      const remove = async () => await rm(own, { recursive: true, force: true });
      try {
        for (const each of Object.values(folders)) await mkdir(each, { recursive: true, mode: 0o700 });
        let left = MAX_CHECKED_FILES;
        for (const place of placesIn(texts)) {
          const asset = left > 0 ? await findAssetAt(db, userId, place) : undefined;
          if (!asset) continue;
          left -= 1;
          const path = pathOf(folders, place);
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await store.copyTo(asset.content_hash, path);
        }
        return { folders, [Symbol.asyncDispose]: remove };
      } catch (error) {
        await remove();
        throw error;
      }
    },

    namesOf: (userId) => ({
      list: async (folder, subfolder, start) =>
        await repo.listNames(db, { userId, folder, subfolder }, start),
      async exists({ folder, subfolder, name }) {
        return (await findAt(userId, { folder, subfolder, fileName: name })) !== undefined;
      },
    }),

    async find(userId, place) {
      const row = await findAt(userId, place);
      if (!row) return undefined;
      const { content_hash: sha256, size, created_at: modifiedMs } = row;
      const open = async () => {
        const opened = await store.open(sha256);
        if (!opened) throw new Error(`The bytes of ${place.fileName} are missing in the store.`);
        return opened.stream;
      };
      const { directUrl } = store;
      const options = { mediaType: 'application/octet-stream', disposition: 'attachment' };
      return {
        size,
        sha256,
        modifiedMs,
        open,
        ...(directUrl &&
          size >= DIRECT_BYTES && {
            direct: async (seconds: number) => await directUrl(sha256, { ...options, seconds }),
          }),
      };
    },

    async show(asset) {
      if (await repo.isBlocked(db, asset.user_id, placeOf(asset))) throw nameTaken(placeOf(asset));
    },
    hide: async () => {},

    make: async (file, path) =>
      (await makeVia(file, async (options) => await store.putFile(path, options))) ?? false,

    /** Looks for the bytes only when the row protects them from a sweep. */
    async makeAgain(file) {
      const known = await findContentOf(db, file.userId, file.sha256);
      if (!known) return undefined;
      const { blake3, size, media_type: mediaType } = known;
      const content = { hash: file.sha256, blake3, size, mediaType };
      if (!(await withTransaction(db, async (tx) => await claim(tx, file, content)))) return false;
      if (await store.stat(content.hash)) return true;
      await drop(file.userId, file);
      return undefined;
    },

    makeSent: async (file, ticket) =>
      await makeVia(file, async (options) => await store.putSent?.(ticket, options)),

    async findUnclaimed(userId, place) {
      const made = await repo.findMadeAt(db, userId, place);
      if (!made) return undefined;
      const { content_hash: hash, blake3, size, media_type: mediaType } = made;
      return { content: { hash, blake3, size, mediaType } };
    },
    kept: async (tx, userId, place) => void (await repo.deleteMade(tx, userId, place)),
    drop,

    async clear(userId) {
      for (;;) {
        const made = await repo.listMadeOf(db, userId);
        if (made.length === 0) return;
        for (const row of made) await drop(userId, placeOf(row));
      }
    },

    async tidy() {
      for (const row of await repo.listAbandoned(db, clock() - ABANDONED_MS))
        await drop(row.user_id, placeOf(row));
    },
  };
}

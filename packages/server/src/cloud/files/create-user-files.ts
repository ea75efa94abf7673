import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folders } from '@atelier/engine';
import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { writeTogether } from '../../platform/db/prepared-query.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { FileMissing, type FileStore, type MeasuredFile } from '../../platform/files/file-store.ts';
import { newId, randomToken } from '../../platform/ids.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import * as repo from './assets.repo.ts';
import { mediaTypeOf } from './content-names.ts';
import type { FilePlace } from './file-place.ts';
import { createFolderPlaces, STAGING } from './folder-places.ts';
import { deleteParts } from './made-files.repo.ts';
import { type NamedFile, namedFiles } from './named-files.ts';
import { numberedName } from './numbered-name.ts';
import { addAsset } from './postgres-assets.repo.ts';
import { createRowPlaces } from './row-places.ts';
import { sweepContent } from './sweep-content.ts';
import type { NodeOutput } from './user-files.ts';

export interface UserFilesParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Shared with nobody: a sweep deletes what no asset has. */
  readonly store: FileStore;
  readonly folder: string;
  /** Where the names of files are decided: in `folder`, which all servers share, or in the database. */
  readonly namesIn?: 'folder' | 'database';
  readonly quotaBytes: number;
  /** How long outputs live; 0 forever. */
  readonly outputMs: number;
  readonly tempMs: number;
}

export interface NewFile {
  readonly userId: string;
  readonly folder: repo.FolderName;
  readonly subfolder?: string;
  /** Or how it follows from the content. */
  readonly fileName: string | ((content: MeasuredFile) => string);
  /** Another content that has this name stays, and the new file gets a number behind its name. */
  readonly isNumbered?: boolean;
  /** What people call it; the file name by default. */
  readonly name?: string;
  /** Beside the folder's name, which is always one. */
  readonly tags?: readonly string[];
  /** JSON objects. */
  readonly userMetadata?: string;
  readonly metadata?: string;
  readonly previewId?: string | null;
  readonly madeBy?: {
    readonly jobId: string;
    readonly nodeId: string;
    readonly outputKey: string;
    readonly outputIndex: number;
  };
  /** Takes it as long as there is any room, though it may need more. */
  readonly mayOverrun?: boolean;
  /** Now by default. */
  readonly createdAt?: number;
  /** When it goes by itself, instead of what its folder says. */
  readonly expiresAt?: number | undefined;
}

export interface AddedFile {
  readonly asset: AssetRow;
  /** False when the same content was at this place already: then the asset is as it was. */
  readonly isNew: boolean;
}

interface JobRef {
  readonly id: string;
  readonly userId: string;
}

/** So many files of jobs are taken in at once. */
const KEEP_CONCURRENCY = 16;
const HOUR_MS = 3_600_000;

export type FilesOfUsers = ReturnType<typeof createUserFiles>;

/** The files of users: rows, bytes in the store, and names in the folders that nodes see. */
export function createUserFiles(parts: UserFilesParts) {
  const { db, clock, store, folder: root, quotaBytes, outputMs, tempMs } = parts;
  const keeping = createSemaphore(KEEP_CONCURRENCY);
  const places = parts.namesIn === 'database' ? createRowPlaces(parts) : createFolderPlaces(parts);

  function expiryOf(folder: repo.FolderName): number | null {
    if (folder === 'temp') return clock() + tempMs;
    return folder === 'output' && outputMs > 0 ? clock() + outputMs : null;
  }

  function toRow(file: NewFile, fileName: string, { hash, size, mediaType, blake3 }: MeasuredFile): AssetRow {
    const now = file.createdAt ?? clock();
    return {
      id: newId(),
      user_id: file.userId,
      folder: file.folder,
      subfolder: file.subfolder ?? '',
      file_name: fileName,
      name: file.name ?? fileName,
      content_hash: hash,
      blake3,
      size,
      media_type: mediaTypeOf(mediaType, fileName),
      user_metadata: file.userMetadata ?? '{}',
      metadata: file.metadata ?? '{}',
      preview_id: file.previewId ?? null,
      job_id: file.madeBy?.jobId ?? null,
      node_id: file.madeBy?.nodeId ?? null,
      output_key: file.madeBy?.outputKey ?? null,
      output_index: file.madeBy?.outputIndex ?? null,
      created_at: now,
      updated_at: now,
      last_access_at: now,
      expires_at: file.expiresAt ?? expiryOf(file.folder),
      width: null,
      height: null,
    };
  }

  interface Claim extends AddedFile {
    /** Bytes that were at the place before. */
    readonly replaced?: string;
  }

  /** A claim of a place where nothing is yet, where that takes less than a transaction; `undefined` when it has to be one. */
  async function claimAtOnce(file: NewFile, content: MeasuredFile): Promise<Claim | undefined> {
    if (file.isNumbered) return undefined;
    const fileName = typeof file.fileName === 'string' ? file.fileName : file.fileName(content);
    const asset = toRow(file, fileName, content);
    const maxOthers = file.mayOverrun ? quotaBytes - 1 : quotaBytes - content.size;
    const added = { tags: repo.tagsOf(asset, file.tags), maxOthers };
    const isAdded =
      engineOf(db) === 'postgres'
        ? await addAsset(db, asset, added)
        : await writeTogether(db, (writing) => repo.addAssetNow(writing, asset, added));
    return isAdded ? { asset, isNew: true } : undefined;
  }

  /** The row comes before the bytes, so that nobody sweeps them away in between. */
  async function claim(tx: Db, file: NewFile, content: MeasuredFile): Promise<Claim> {
    const use = await repo.countStorage(tx, file.userId, { files: 1, bytes: content.size });
    await repo.lockContent(tx, content.hash);
    const { folder, subfolder = '', userId } = file;
    const wanted = typeof file.fileName === 'string' ? file.fileName : file.fileName(content);
    const fileName = file.isNumbered
      ? await numberedName(tx, { userId, folder, subfolder, fileName: wanted, contentHash: content.hash })
      : wanted;
    const before = await repo.findAssetAt(tx, userId, folder, subfolder, fileName);
    if (before?.content_hash === content.hash) {
      await repo.countStorage(tx, userId, { files: -1, bytes: -content.size });
      return { asset: await prolong(tx, before, file.expiresAt), isNew: false };
    }
    const others = use.bytes - content.size + (await repo.readResultBytes(tx, userId)) - (before?.size ?? 0);
    const isFull = file.mayOverrun ? others >= quotaBytes : others + content.size > quotaBytes;
    if (isFull) throw storageFull(parts);
    if (before) await repo.deleteAsset(tx, before);
    const asset = toRow(file, fileName, content);
    if (!(await repo.insertAsset(tx, asset, file.tags)))
      throw new Error('The place of a file was taken twice.');
    return { asset, isNew: true, ...(before && { replaced: before.content_hash }) };
  }

  /** What comes again lives as long as if it were new. */
  async function prolong(tx: Db, asset: AssetRow, wanted?: number): Promise<AssetRow> {
    if (asset.expires_at === null) return asset;
    const expiresAt = wanted === undefined ? expiryOf(asset.folder) : Math.max(wanted, asset.expires_at);
    await repo.setExpiry(tx, asset.id, expiresAt);
    return { ...asset, expires_at: expiresAt };
  }

  /** Shows a claimed file in its folder, and lets go of what it replaced. */
  async function show({ asset, isNew, replaced }: Claim, source?: string): Promise<AddedFile> {
    await places.show(asset, source);
    if (replaced !== undefined) await sweep(replaced);
    return { asset, isNew };
  }

  async function orGiveUp<T>(claimed: () => Claim | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const given = claimed();
      if (given?.isNew) await giveUp(given.asset);
      throw error;
    }
  }

  /** What is at the place stays: it may be the file that was to be taken in. */
  async function giveUp(asset: AssetRow): Promise<void> {
    await withTransaction(db, async (tx) => {
      await repo.lockStorageUse(tx, asset.user_id);
      await repo.deleteAsset(tx, asset);
    });
    // The failure that led here is told, and a disk that fails again adds nothing to it.
    await sweep(asset.content_hash).catch(() => undefined);
  }

  /** Takes in a finished file of this machine, which stays where it is. Refuses with `cloud.storage_full`. */
  async function adopt(path: string, file: NewFile, within?: string): Promise<AddedFile> {
    let claimed: Claim | undefined;
    const accept = async (content: MeasuredFile) => {
      claimed =
        (await claimAtOnce(file, content)) ??
        (await withTransaction(db, async (tx) => await claim(tx, file, content)));
    };
    return await orGiveUp(
      () => claimed,
      async () => {
        // Previews are made again more easily than waited for.
        await store.putFile(path, {
          maxBytes: Number.MAX_SAFE_INTEGER,
          accept,
          isDurable: file.folder !== 'temp',
          ...(within !== undefined && { within }),
        });
        if (!claimed) throw new Error('The store kept a file without asking.');
        return await show(claimed, path);
      },
    );
  }

  async function copy(source: AssetRow, file: NewFile): Promise<AddedFile> {
    const { content_hash: hash, media_type: mediaType, size, blake3 } = source;
    const claimed = await withTransaction(db, async (tx) => {
      const given = await claim(tx, file, { hash, size, mediaType, blake3 });
      if (given.isNew && !(await store.stat(hash))) throw notFound('file', source.name);
      return given;
    });
    return await orGiveUp(
      () => claimed,
      async () => await show(claimed),
    );
  }

  /** Removes a file: its row, its name, and its bytes when no other asset has them. `undefined` when it is not this user's. */
  async function remove(userId: string, assetId: string, options: { readonly expiredAt?: number } = {}) {
    return await withTransaction(db, async (tx) => {
      await repo.lockStorageUse(tx, userId);
      const asset = await repo.findAsset(tx, userId, assetId);
      if (!asset) return undefined;
      await repo.lockContent(tx, asset.content_hash);
      if (!(await repo.deleteAsset(tx, asset, options))) return undefined;
      await places.hide(asset);
      // The bytes before the end of the transaction: after a crash in between, the row still names them.
      if (!(await repo.isContentInUse(tx, asset.content_hash))) await store.delete(asset.content_hash);
      return asset;
    });
  }

  const sweep = async (hash: string): Promise<void> => await sweepContent(parts, hash);

  /** Takes in a file that an attempt has left in the store. */
  async function takeIn(content: MeasuredFile, file: NewFile & FilePlace): Promise<void> {
    const claimed = await withTransaction(db, async (tx) => {
      const given = await claim(tx, file, content);
      await places.kept(tx, file.userId, file);
      return given;
    });
    if (claimed.replaced !== undefined) await sweep(claimed.replaced);
  }

  async function keepOne(
    { id: jobId, userId }: JobRef,
    { nodeId, createdAt }: { readonly nodeId: string; readonly createdAt: number },
    file: NamedFile,
  ): Promise<'kept' | 'missing'> {
    const { folder, subfolder, fileName } = file;
    const before = await repo.findAssetAt(db, userId, folder, subfolder, fileName);
    if (before && (await store.stat(before.content_hash))) {
      await prolong(db, before);
      return 'kept';
    }
    const { outputKey, outputIndex } = file;
    const madeBy = { jobId, nodeId, outputKey, outputIndex };
    try {
      const unclaimed = await places.findUnclaimed(userId, file);
      if (!unclaimed) return 'missing';
      // What was let in to run may go beyond with one file: the next one, or the next job, is not let in.
      const made = { userId, folder, subfolder, fileName, madeBy, mayOverrun: true, createdAt };
      if ('path' in unclaimed) await adopt(unclaimed.path, made, unclaimed.within);
      else await takeIn(unclaimed.content, made);
      return 'kept';
    } catch (error) {
      if (error instanceof FileMissing) return 'missing';
      // Nobody counts it, so it must not stay.
      if (isStorageFull(error)) await places.drop(userId, file);
      throw error;
    }
  }

  return {
    adopt,
    copy,
    remove,

    places,

    /** The folders a job of this user works in. They exist once this resolves. */
    async foldersOf(userId: string): Promise<Folders> {
      const folders = await places.foldersOf(userId);
      if (!folders) throw new Error('The files of users are not in folders of this machine.');
      return folders;
    },

    /**
     * Keeps the files that a node's output names: in the file store, with a row each. Resolves once they can be fetched. Files that
     * are already kept stay as they are. Files beyond the quota are removed; once the others are kept, it throws `cloud.storage_full`.
     * Returns those that this user does not have.
     */
    async keep(job: JobRef, nodeId: string, output: NodeOutput): Promise<readonly NamedFile[]> {
      // One time for all, because they are taken in side by side and their order is that of the output.
      const made = { nodeId, createdAt: clock() };
      const named = namedFiles(output);
      const results = await Promise.allSettled(
        named.map(async (file) => {
          const release = await keeping.acquire();
          try {
            return await keepOne(job, made, file);
          } finally {
            release();
          }
        }),
      );
      const failed = results.find((each) => each.status === 'rejected');
      if (failed) throw failed.reason;
      return named.filter((_file, index) => {
        const result = results[index];
        return result?.status === 'fulfilled' && result.value === 'missing';
      });
    },

    /** Throws `cloud.storage_full` when the user may keep nothing more, or never so many bytes. */
    async assertRoom(userId: string, wanted = 0): Promise<void> {
      const { bytes } = await repo.readStorageUse(db, userId);
      if (bytes >= quotaBytes || wanted > quotaBytes) throw storageFull(parts);
    },

    /** Counts files that another area keeps for the user. With `assertRoom` only while there is any room before them. */
    async countElsewhere(
      tx: Db,
      userId: string,
      change: repo.StorageChange,
      options: { readonly assertRoom?: boolean } = {},
    ): Promise<void> {
      const { bytes } = await repo.countStorage(tx, userId, change);
      if (options.assertRoom && bytes - change.bytes >= quotaBytes) throw storageFull(parts);
    },

    async usageOf(userId: string) {
      const { files, bytes } = await repo.readStorageUse(db, userId);
      return { usedBytes: bytes, files };
    },

    tidyPlaces: places.tidy,

    /** Forgets the parts of a file that a worker sends. */
    async removeParts(name: string): Promise<void> {
      for (const { content_hash: hash } of await deleteParts(db, name)) await sweep(hash);
    },

    /** A path to write to what comes in; removed when disposed of, or an hour after the last write. */
    async stage(name = randomToken(16)): Promise<AsyncDisposable & { readonly path: string }> {
      await mkdir(join(root, STAGING), { recursive: true, mode: 0o700 });
      const path = join(root, STAGING, name);
      return { path, [Symbol.asyncDispose]: async () => await rm(path, { force: true }) };
    },
  };
}

export function isStorageFull(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'cloud.storage_full';
}

function storageFull({ quotaBytes, tempMs }: Pick<UserFilesParts, 'quotaBytes' | 'tempMs'>): AppError {
  return new AppError(
    'cloud.storage_full',
    `Your files may take ${quotaBytes} bytes, and there is no room left. Delete assets you do not need any more. \
Previews count too: GET /api/assets?tags_any=temp lists them, and they go by themselves after ${tempMs / HOUR_MS} h. \
The files of generation tasks count until the task is removed, and the texts that jobs show as long as the jobs are kept.`,
  );
}

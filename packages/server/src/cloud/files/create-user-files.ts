import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folders } from '@atelier/engine';
import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { writeTogether } from '../../platform/db/prepared-query.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { FileMissing, type FileStore, type MeasuredFile } from '../../platform/files/file-store.ts';
import { newId, randomToken } from '../../platform/ids.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import * as repo from './assets.repo.ts';
import { mediaTypeOf } from './content-names.ts';
import type { FilePlace, FolderName } from './file-place.ts';
import { createFolderPlaces, STAGING } from './folder-places.ts';
import { deleteParts } from './made-files.repo.ts';
import { type NamedFile, namedFiles } from './named-files.ts';
import { numberedName } from './numbered-name.ts';
import { addAsset } from './postgres-assets.repo.ts';
import { createRowPlaces } from './row-places.ts';
import { sweepContent } from './sweep-content.ts';
import type { NodeOutput } from './user-files.ts';

export interface UserFilesParts extends ServiceParts {
  /** Not shared: a sweep deletes what no asset refers to. */
  readonly store: FileStore;
  readonly folder: string;
  /** Where the names of files are kept: in `folder`, which all servers share, or in the database. */
  readonly namesIn?: 'folder' | 'database';
  readonly quotaBytes: number;
  /** How long outputs live; 0 forever. */
  readonly outputMs: number;
  readonly tempMs: number;
}

export interface NewFile {
  readonly userId: string;
  readonly folder: FolderName;
  readonly subfolder?: string;
  /** A function derives the name from the content. */
  readonly fileName: string | ((content: MeasuredFile) => string);
  /** Keeps other content with this name, and appends a number to the name of the new file. */
  readonly isNumbered?: boolean;
  /** What people call it; the file name by default. */
  readonly name?: string;
  /** In addition to the name of the folder. */
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
  /** Accepts the file as long as there is any room left, even if it needs more. */
  readonly mayOverrun?: boolean;
  /** Now by default. */
  readonly createdAt?: number;
  /** When the file is removed; the default depends on its folder. */
  readonly expiresAt?: number | undefined;
}

export interface AddedFile {
  readonly asset: AssetRow;
  /** False when this place already had the same content: then the asset is unchanged. */
  readonly isNew: boolean;
}

interface JobRef {
  readonly id: string;
  readonly userId: string;
}

const KEEP_CONCURRENCY = 16;
const HOUR_MS = 3_600_000;

export type FilesOfUsers = ReturnType<typeof createUserFiles>;

/** The files of users: rows, bytes in the store, and names in the folders that nodes see. */
export function createUserFiles(parts: UserFilesParts) {
  const { db, clock, store, folder: root, quotaBytes, outputMs, tempMs } = parts;
  const keeping = createSemaphore(KEEP_CONCURRENCY);
  const places = parts.namesIn === 'database' ? createRowPlaces(parts) : createFolderPlaces(parts);

  function expiryOf(folder: FolderName): number | null {
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
    /** The hash of the bytes that were at this place before. */
    readonly replaced?: string;
  }

  /** Claims a free place without a transaction; `undefined` when it needs one. */
  async function claimAtOnce(file: NewFile, content: MeasuredFile): Promise<Claim | undefined> {
    if (file.isNumbered) return undefined;
    const asset = toRow(file, wantedName(file, content), content);
    const maxOthers = file.mayOverrun ? quotaBytes - 1 : quotaBytes - content.size;
    const added = { tags: repo.tagsOf(asset, file.tags), maxOthers };
    const isAdded =
      engineOf(db) === 'postgres'
        ? await addAsset(db, asset, added)
        : await writeTogether(db, (writing) => repo.addAssetNow(writing, asset, added));
    return isAdded ? { asset, isNew: true } : undefined;
  }

  /** The row is inserted before the bytes, so that a concurrent sweep keeps them. */
  async function claim(tx: Db, file: NewFile, content: MeasuredFile): Promise<Claim> {
    const { folder, subfolder = '', userId } = file;
    await repo.countStorage(tx, userId, { files: 1, bytes: content.size });
    await repo.lockContent(tx, content.hash);
    const wanted = wantedName(file, content);
    const fileName = file.isNumbered
      ? await numberedName(tx, { userId, folder, subfolder, fileName: wanted, contentHash: content.hash })
      : wanted;
    const before = await repo.findAssetAt(tx, userId, { folder, subfolder, fileName });
    if (before?.content_hash === content.hash) {
      await repo.countStorage(tx, userId, { files: -1, bytes: -content.size });
      return { asset: await prolong(tx, before, file.expiresAt), isNew: false };
    }
    const { bytes } = await repo.readStorageUse(tx, userId);
    const others = bytes - content.size - (before?.size ?? 0);
    const isFull = file.mayOverrun ? others >= quotaBytes : others + content.size > quotaBytes;
    if (isFull) throw storageFull(parts);
    if (before) await repo.deleteAsset(tx, before);
    const asset = toRow(file, fileName, content);
    if (!(await repo.insertAsset(tx, asset, file.tags)))
      throw new Error('The place of a file was taken twice.');
    return { asset, isNew: true, ...(before && { replaced: before.content_hash }) };
  }

  /** A file that is added again lives as long as a new one. */
  async function prolong(tx: Db, asset: AssetRow, wanted?: number): Promise<AssetRow> {
    if (asset.expires_at === null) return asset;
    const expiresAt = wanted === undefined ? expiryOf(asset.folder) : Math.max(wanted, asset.expires_at);
    await repo.setExpiry(tx, asset.id, expiresAt);
    return { ...asset, expires_at: expiresAt };
  }

  /** Puts a claimed file into its folder, and sweeps the bytes that it replaced. */
  async function show({ asset, isNew, replaced }: Claim, source?: string): Promise<AddedFile> {
    await places.show(asset, source);
    if (replaced !== undefined) await sweep(replaced);
    return { asset, isNew };
  }

  /** Undoes a claim. The file at its place stays: it may be the one that was to be added. */
  async function undo(claimed: Claim | undefined): Promise<void> {
    if (!claimed?.isNew) return;
    const { asset } = claimed;
    await withTransaction(db, async (tx) => {
      await repo.lockStorageUse(tx, asset.user_id);
      await repo.deleteAsset(tx, asset);
    });
    // The caller throws the first failure; a second one of the disk adds nothing to it.
    await sweep(asset.content_hash).catch(() => undefined);
  }

  /** Adds a finished file of this machine, which stays where it is. Refuses with `cloud.storage_full`. */
  async function adopt(path: string, file: NewFile, within?: string): Promise<AddedFile> {
    let claimed = undefined as Claim | undefined;
    const accept = async (content: MeasuredFile) => {
      claimed =
        (await claimAtOnce(file, content)) ??
        (await withTransaction(db, async (tx) => await claim(tx, file, content)));
    };
    try {
      await store.putFile(path, {
        maxBytes: Number.MAX_SAFE_INTEGER,
        accept,
        // A lost preview is easily made again.
        isDurable: file.folder !== 'temp',
        ...(within !== undefined && { within }),
      });
      if (!claimed) throw new Error('The store kept a file without asking.');
      return await show(claimed, path);
    } catch (error) {
      await undo(claimed);
      throw error;
    }
  }

  async function copy(source: AssetRow, file: NewFile): Promise<AddedFile> {
    const { content_hash: hash, media_type: mediaType, size, blake3 } = source;
    const claimed = await withTransaction(db, async (tx) => {
      const given = await claim(tx, file, { hash, size, mediaType, blake3 });
      if (given.isNew && !(await store.stat(hash))) throw notFound('file', source.name);
      return given;
    });
    try {
      return await show(claimed);
    } catch (error) {
      await undo(claimed);
      throw error;
    }
  }

  /** Removes a file: its row, its name, and its bytes unless another asset has them. `undefined` when the user has no such file. */
  async function remove(userId: string, assetId: string, options: { readonly expiredAt?: number } = {}) {
    return await withTransaction(db, async (tx) => {
      await repo.lockStorageUse(tx, userId);
      const asset = await repo.findAsset(tx, userId, assetId);
      if (!asset) return undefined;
      await repo.lockContent(tx, asset.content_hash);
      if (!(await repo.deleteAsset(tx, asset, options))) return undefined;
      await places.hide(asset);
      // Before the transaction ends: after a crash in between, the row still names the bytes.
      if (!(await repo.isContentInUse(tx, asset.content_hash))) await store.delete(asset.content_hash);
      return asset;
    });
  }

  const sweep = async (hash: string): Promise<void> => await sweepContent(parts, hash);

  /** Adds a file that an attempt has left in the store. */
  async function takeIn(content: MeasuredFile, file: NewFile & FilePlace): Promise<void> {
    const claimed = await withTransaction(db, async (tx) => {
      const given = await claim(tx, file, content);
      await places.kept(tx, file.userId, file);
      return given;
    });
    if (claimed.replaced !== undefined) await sweep(claimed.replaced);
  }

  /** Returns the file if it is missing. */
  async function keepOne(
    { id: jobId, userId }: JobRef,
    { nodeId, createdAt }: { readonly nodeId: string; readonly createdAt: number },
    file: NamedFile,
  ): Promise<readonly NamedFile[]> {
    const before = await repo.findAssetAt(db, userId, file);
    if (before && (await store.stat(before.content_hash))) {
      await prolong(db, before);
      return [];
    }
    const { folder, subfolder, fileName, outputKey, outputIndex } = file;
    const madeBy = { jobId, nodeId, outputKey, outputIndex };
    try {
      const unclaimed = await places.findUnclaimed(userId, file);
      if (!unclaimed) return [file];
      // A job that was allowed to run may exceed the quota with one file; the next file or job is refused.
      const made = { userId, folder, subfolder, fileName, madeBy, mayOverrun: true, createdAt };
      if ('path' in unclaimed) await adopt(unclaimed.path, made, unclaimed.within);
      else await takeIn(unclaimed.content, made);
      return [];
    } catch (error) {
      if (error instanceof FileMissing) return [file];
      // It is not counted, so it must not stay.
      if (isStorageFull(error)) await places.drop(userId, file);
      throw error;
    }
  }

  return {
    adopt,
    copy,
    remove,

    places,

    /** The folders a job of this user works in, created if necessary. */
    async foldersOf(userId: string): Promise<Folders> {
      const folders = await places.foldersOf(userId);
      if (!folders) throw new Error('The files of users are not in folders of this machine.');
      return folders;
    },

    /**
     * Keeps the files that a node's output names: in the file store, with a row each. Resolves once they can be fetched. Files that
     * are already kept stay as they are. Files beyond the quota are removed; once the others are kept, it throws `cloud.storage_full`.
     * Returns the files that are missing.
     */
    async keep(job: JobRef, nodeId: string, output: NodeOutput): Promise<readonly NamedFile[]> {
      // The same time for all: they are kept concurrently, and listed in the order of the output.
      const made = { nodeId, createdAt: clock() };
      const results = await Promise.allSettled(
        namedFiles(output).map(async (file) => {
          const release = await keeping.acquire();
          try {
            return await keepOne(job, made, file);
          } finally {
            release();
          }
        }),
      );
      return results.flatMap((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      });
    },

    /** Throws `cloud.storage_full` when the user has no room left, or when `wanted` exceeds the whole quota. */
    async assertRoom(userId: string, wanted = 0): Promise<void> {
      const { bytes } = await repo.readStorageUse(db, userId);
      if (bytes >= quotaBytes || wanted > quotaBytes) throw storageFull(parts);
    },

    /** Counts files that another area keeps for the user. With `assertRoom`, throws unless there was some room before them. */
    async countElsewhere(
      tx: Db,
      userId: string,
      change: repo.StorageChange,
      options: { readonly assertRoom?: boolean } = {},
    ): Promise<void> {
      const { bytes } = await repo.countStorage(tx, userId, change);
      if (options.assertRoom && bytes - change.bytes >= quotaBytes) throw storageFull(parts);
    },

    usageOf: async (userId: string) => await repo.readStorageUse(db, userId),

    tidyPlaces: places.tidy,

    /** Removes the parts of a file that a worker has sent. */
    async removeParts(name: string): Promise<void> {
      for (const { content_hash: hash } of await deleteParts(db, name)) await sweep(hash);
    },

    /** A path for incoming bytes; removed when disposed of, or an hour after the last write. */
    async stage(name = randomToken(16)): Promise<AsyncDisposable & { readonly path: string }> {
      await mkdir(join(root, STAGING), { recursive: true, mode: 0o700 });
      const path = join(root, STAGING, name);
      return { path, [Symbol.asyncDispose]: async () => await rm(path, { force: true }) };
    },
  };
}

function wantedName({ fileName }: NewFile, content: MeasuredFile): string {
  return typeof fileName === 'string' ? fileName : fileName(content);
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

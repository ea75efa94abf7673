import type { UserDataEntry, UserDataFile } from '@atelier/contracts';

import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { AppError, invalid, notFound } from '../platform/errors/app-error.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import * as repo from './user-data.repo.ts';
import { foldersAbove, toFilePath, toUserDataPath } from './user-data-path.ts';
import { keepVersion, readVersionBytes } from './workflows.repo.ts';

const MAX_FILES = 10_000;
const MAX_BYTES = 1024 ** 3;

interface Parts extends ServiceParts {
  readonly maxFiles?: number;
  readonly maxBytes?: number;
}

interface Overwriting {
  readonly overwrite: boolean;
}

export type UserDataService = ReturnType<typeof createUserDataService>;

/**
 * Files that editors keep for users: workflows, styles, presets. A folder exists only while it has files. A name is a file or a folder, not
 * both, so that everything can be exported to a disk.
 */
export function createUserDataService({ db, clock, maxFiles = MAX_FILES, maxBytes = MAX_BYTES }: Parts) {
  /** Every change that adds or moves files takes this lock, so that limits and names are exact. */
  const change = async <T>(userId: string, work: (tx: Db) => Promise<T>, on = db): Promise<T> =>
    await withTransaction(on, async (tx) => {
      await lockByName(tx, `user-data:${userId}`);
      return await work(tx);
    });

  /** `from` is about to be moved, or is `path` itself. */
  const requireFree = async (tx: Db, userId: string, place: { path: string; from: string } & Overwriting) => {
    const { path, from, overwrite } = place;
    if (!overwrite && (await repo.findInfo(tx, userId, path))) throw taken(path);
    const files = foldersAbove(path);
    const inTheWay = await repo.findInTheWay(tx, userId, { files, folder: path, except: from });
    if (inTheWay !== undefined) throw taken(inTheWay);
  };

  const requireRoom = async (tx: Db, userId: string, file: { path: string; size: number }) => {
    const { files, bytes } = await repo.readUse(tx, userId, file.path);
    const all = bytes + (await readVersionBytes(tx, userId)) + file.size;
    if (files < maxFiles && all <= maxBytes) return;
    throw new AppError(
      'cloud.storage_full',
      `The editor keeps at most ${maxFiles} files and ${maxBytes} bytes for a user. Delete some.`,
    );
  };

  return {
    /** Files in a folder or, with `recurse`, anywhere below it, by their paths from there. Hidden ones are left out. */
    async list(userId: string, folder: string, { recurse }: { readonly recurse: boolean }) {
      const top = toUserDataPath(folder);
      const rows = await repo.listBelow(db, userId, top);
      if (rows.length === 0 && top !== '') throw notFound('folder', top);
      return rows
        .map((row) => ({ ...toFile(row), path: row.path.slice(top === '' ? 0 : top.length + 1) }))
        .filter(({ path }) => (recurse || !path.includes('/')) && !/(^|\/)\./.test(path));
    },

    /** Everything below a folder, folders first, by their paths from the top. */
    async walk(userId: string, folder: string): Promise<UserDataEntry[]> {
      const top = toUserDataPath(folder);
      const rows = await repo.listBelow(db, userId, top);
      if (rows.length === 0 && top !== '') {
        if (!(await repo.findInfo(db, userId, top))) throw notFound('folder', top);
        throw invalid('The path is that of a file, not of a folder.');
      }
      const above = new Set(top === '' ? [] : [top, ...foldersAbove(top)]);
      const folders = new Set(
        rows.flatMap((row) => foldersAbove(row.path)).filter((path) => !above.has(path)),
      );
      const files = rows.map(({ path, size, modified_at: at }) => {
        return { name: nameOf(path), path, type: 'file' as const, size, modified: at / 1000 };
      });
      return [
        ...inOrder([...folders].map((path) => ({ name: nameOf(path), path, type: 'directory' as const }))),
        ...inOrder(files),
      ];
    },

    async read(userId: string, file: string) {
      const path = toFilePath(file);
      const found = await repo.findFile(db, userId, path);
      if (!found) throw notFound('file', path);
      return found;
    },

    async write(
      userId: string,
      file: string,
      content: Uint8Array,
      { overwrite, tx: outer }: Overwriting & { readonly tx?: Db },
    ): Promise<UserDataFile> {
      const path = toFilePath(file);
      const size = content.byteLength;
      const put = async (tx: Db): Promise<UserDataFile> => {
        await requireRoom(tx, userId, { path, size });
        await requireFree(tx, userId, { path, from: path, overwrite });
        // Both the editor and the console save here, so each sees the versions of the other.
        if (isWorkflow(path) && (await repo.hasOtherContent(tx, userId, path, content))) {
          await keepVersion(tx, userId, path);
        }
        const now = clock();
        const row = { user_id: userId, path, size, created_at: now, modified_at: now, content };
        return toFile(await repo.putFile(tx, row));
      };
      return await change(userId, put, outer);
    },

    async move(userId: string, file: string, dest: string, { overwrite }: Overwriting) {
      const [from, path] = [toFilePath(file), toFilePath(dest)];
      return await change(userId, async (tx) => {
        const moved = await repo.findInfo(tx, userId, from);
        if (!moved) throw notFound('file', from);
        if (path !== from) {
          await requireFree(tx, userId, { path, from, overwrite });
          await repo.deleteFile(tx, userId, path);
          await repo.renameFile(tx, userId, from, path);
        }
        return { ...toFile(moved), path };
      });
    },

    async remove(userId: string, file: string): Promise<void> {
      const path = toFilePath(file);
      if (!(await repo.deleteFile(db, userId, path))) throw notFound('file', path);
    },
  };
}

function toFile({ path, size, modified_at: modified, created_at: created }: repo.UserDataInfo): UserDataFile {
  return { path, size, modified, created };
}

function isWorkflow(path: string): boolean {
  return path.startsWith('workflows/') && path.endsWith('.json');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function inOrder<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.name.toLowerCase() }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ entry }) => entry);
}

function taken(path: string): AppError {
  return new AppError('cloud.file_exists', `There is "${path}" already.`);
}

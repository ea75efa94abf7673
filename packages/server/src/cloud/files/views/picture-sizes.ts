import { setTimeout as delay } from 'node:timers/promises';

import type { Db } from '../../../platform/db/database.ts';
import type { AssetRow } from '../../../platform/db/schema/cloud.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { isPictureType, pictureSize } from '../../../platform/pictures/picture-limits.ts';
import type { FilesOfUsers } from '../create-user-files.ts';

interface Parts {
  readonly db: Db;
  readonly store: Pick<FileStore, 'copyTo'>;
  readonly files: Pick<FilesOfUsers, 'stage'>;
  readonly onError: (error: unknown) => void;
}

/** How long a list waits. Sizes that are not measured by then appear in a later list. */
const PATIENCE_MS = 200;
/** Further pictures are measured for a later list. */
const MAX_WAITING = 2000;

/** Measures pictures when they are first listed, one at a time, and stores their sizes. */
export function createPictureSizes({ db, store, files, onError }: Parts) {
  const waiting = new Map<string, Pick<AssetRow, 'id' | 'content_hash'>>();
  let working: Promise<void> | undefined;

  async function measure({ id, content_hash: hash }: Pick<AssetRow, 'id' | 'content_hash'>) {
    await using source = await files.stage();
    if (!(await store.copyTo(hash, source.path))) return;
    const { width, height } = (await pictureSize(source.path)) ?? { width: 0, height: 0 };
    await db.updateTable('assets').set({ width, height }).where('id', '=', id).execute();
  }

  async function work(): Promise<void> {
    for (const [id, asset] of waiting) {
      await measure(asset).catch(onError);
      waiting.delete(id);
    }
    working = undefined;
  }

  return {
    /** The rows with the sizes that are known by now. */
    async measured(rows: readonly AssetRow[]): Promise<readonly AssetRow[]> {
      const unknown = rows.filter(({ width, media_type: type }) => width === null && isPictureType(type));
      if (unknown.length === 0) return rows;
      for (const { id, content_hash } of unknown) {
        if (waiting.size < MAX_WAITING) waiting.set(id, { id, content_hash });
      }
      working ??= work();
      const late = new AbortController();
      await Promise.race([working, delay(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
      const ids = unknown.map(({ id }) => id);
      const sizes = await db
        .selectFrom('assets')
        .select(['id', 'width', 'height'])
        .where('id', 'in', ids)
        .execute();
      const sizeOf = new Map(sizes.map((size) => [size.id, size]));
      return rows.map((row) => ({ ...row, ...sizeOf.get(row.id) }));
    },
  };
}

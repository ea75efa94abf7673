import { type Db, withTransaction } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import type { CommonParts } from '../common-parts.ts';
import { lockPack, type Pack } from './packs.repo.ts';
import { refreshPack } from './refresh-pack.ts';

export type ChangePack = ReturnType<typeof createChangePack>;

/** Changes a locked pack, or its versions, and everything derived from it in one transaction. */
export function createChangePack(parts: Pick<CommonParts, 'db' | 'clock' | 'catalogueChanged'>) {
  const { db, clock, catalogueChanged } = parts;
  return async (
    packId: string,
    change: (tx: Db, pack: Pack, now: number) => Promise<void>,
  ): Promise<void> => {
    await withTransaction(db, async (tx) => {
      const now = clock();
      // Locked before its versions, in the same order as a deletion of the pack.
      const pack = await lockPack(tx, packId);
      if (!pack) throw notFound('node', packId);
      await change(tx, pack, now);
      await refreshPack(tx, pack.id, now);
    });
    catalogueChanged();
  };
}

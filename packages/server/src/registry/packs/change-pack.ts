import { type Db, withTransaction } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { bumpRevision } from '../catalogue/catalogue.repo.ts';
import type { CommonParts } from '../common-parts.ts';
import { newestActive } from '../versions/versions.repo.ts';
import { indexPack } from './index-pack.ts';
import { findPackRecord, lockPack, type Pack, updatePack } from './packs.repo.ts';

export type ChangePack = ReturnType<typeof createChangePack>;

/** Changes a pack or its versions, and everything derived from it, in one transaction. */
export function createChangePack(parts: Pick<CommonParts, 'db' | 'clock' | 'catalogueChanged'>) {
  const { db, clock, catalogueChanged } = parts;
  return async (packId: string, change: (tx: Db, pack: Pack, now: number) => Promise<void>) => {
    await withTransaction(db, async (tx) => {
      const now = clock();
      // Locked before its versions, as when the pack is deleted.
      const pack = await lockPack(tx, packId);
      if (!pack) throw notFound('node', packId);
      await change(tx, pack, now);
      await refreshPack(tx, pack.id, now);
    });
    catalogueChanged();
  };
}

/**
 * Updates everything derived from a pack: its newest active version, its search words, and the catalogue's revision. The last step of every
 * transaction that changes a pack.
 */
export async function refreshPack(tx: Db, packId: string, now: number): Promise<void> {
  // Locked before its versions are read, so that of two that become active at once both are seen.
  await lockPack(tx, packId);
  const latest = await newestActive(tx, packId);
  await updatePack(tx, packId, { latest_version_id: latest?.id ?? null, updated_at: now });
  const record = await findPackRecord(tx, packId);
  if (!record) throw new Error(`pack ${packId} is gone`);
  await indexPack(tx, record);
  await bumpRevision(tx);
}

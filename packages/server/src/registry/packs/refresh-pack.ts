import type { Db } from '../../platform/db/database.ts';
import { bumpRevision } from '../catalogue/catalogue.repo.ts';
import { newestActive } from '../versions/versions.repo.ts';
import { indexPack } from './index-pack.ts';
import { findPackRecord, lockPack, updatePack } from './packs.repo.ts';

/**
 * Brings everything that is derived from a pack up to date: its newest active version, the words under which
 * it is found, and the catalogue's revision. Last step of every transaction that changes a pack.
 */
export async function refreshPack(tx: Db, packId: string, now: number): Promise<void> {
  // Held before its versions are looked at: two that become active at once must both be seen.
  await lockPack(tx, packId);
  const latest = await newestActive(tx, packId);
  await updatePack(tx, packId, { latest_version_id: latest?.id ?? null, updated_at: now });
  const record = await findPackRecord(tx, packId);
  if (!record) throw new Error(`pack ${packId} is gone`);
  await indexPack(tx, record);
  await bumpRevision(tx);
}

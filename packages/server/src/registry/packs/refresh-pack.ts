import type { Db } from '../../platform/db/database.ts';
import { bumpRevision, deleteSearchWords, putSearchWords } from '../catalogue/catalogue.repo.ts';
import { toSearchColumns } from '../catalogue/pack-search-text.ts';
import { namesOfInnerNodes } from '../inner-nodes/inner-nodes.repo.ts';
import { texts } from '../to-wire.ts';
import { newestActive } from '../versions/versions.repo.ts';
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
  const { pack, publisher } = record;
  if (pack.status !== 'deleted') {
    const columns = toSearchColumns({
      id: pack.id,
      name: pack.name,
      tags: texts(pack.tags),
      publisher: `${publisher.id} ${publisher.name ?? ''}`,
      author: pack.author,
      description: pack.description,
      innerNodes: latest ? await namesOfInnerNodes(tx, latest.id) : [],
    });
    await putSearchWords(tx, pack.seq, columns);
  } else {
    await deleteSearchWords(tx, pack.seq);
  }
  await bumpRevision(tx);
}

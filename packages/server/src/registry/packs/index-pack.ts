import type { Db } from '../../platform/db/database.ts';
import { deleteSearchWords, putSearchWords } from '../catalogue/catalogue.repo.ts';
import { toSearchColumns } from '../catalogue/pack-search-text.ts';
import { namesOfInnerNodes } from '../inner-nodes/inner-nodes.repo.ts';
import { type PackRecord, texts } from '../to-wire.ts';
import { listPacksAfter, toRecords } from './packs.repo.ts';

const BATCH_SIZE = 100;

/** Updates the search words of a pack. */
export async function indexPack(tx: Db, { pack, publisher, latest }: PackRecord): Promise<void> {
  if (pack.status === 'deleted') {
    await deleteSearchWords(tx, pack.seq);
    return;
  }
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
}

/** Fills an empty index. */
export async function indexAllPacks(tx: Db): Promise<void> {
  let after = 0;
  for (;;) {
    const packs = await listPacksAfter(tx, after, BATCH_SIZE);
    for (const record of await toRecords(tx, packs)) await indexPack(tx, record);
    after = packs.at(-1)?.seq ?? after;
    if (packs.length < BATCH_SIZE) return;
  }
}

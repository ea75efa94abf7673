import { join } from 'node:path';

import { type Db, withTransaction } from '../packages/server/src/platform/db/database.ts';
import { openSqlite } from '../packages/server/src/platform/db/open-database.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import { bumpRevision, putSearchWords } from '../packages/server/src/registry/catalogue/catalogue.repo.ts';
import { toSearchColumns } from '../packages/server/src/registry/catalogue/pack-search-text.ts';
import { emptyPack } from '../packages/server/src/registry/packs/pack-columns.ts';
import { versionKey } from '../packages/server/src/registry/versions/version-order.ts';

const VERSIONS = 5;
const PACKS_AT_ONCE = 50;
const PUBLISHER = 'bench';

/** Syllables make as many different words as there are packs, some common and some rare, as in a real catalogue. */
const SYLLABLES = ['ka', 'lo', 'mi', 'tu', 'ren', 'vas', 'por', 'sel', 'dra', 'quin', 'zef', 'bol'];
const COMMON = ['image', 'video', 'mask', 'sampler', 'loader', 'upscale', 'text', 'audio', 'prompt'];

export function rareWord(n: number): string {
  const size = SYLLABLES.length;
  const part = (place: number): string => SYLLABLES[Math.floor(n / size ** place) % size] ?? '';
  return `${part(0)}${part(1)}${part(2)}${part(3)}`;
}

export function packId(n: number): string {
  return `pack-${String(n).padStart(6, '0')}`;
}

/** Fills the database of a server that is not running with packs, each with five active versions. */
export async function seedRegistry(dataFolder: string, packs: number): Promise<void> {
  const db = await openSqlite(join(dataFolder, 'atelier.sqlite'));
  try {
    await withTransaction(db, async (tx) => {
      const publisher = { id: PUBLISHER, name: 'Bench', status: 'active', had_packs: 1 } as const;
      await tx
        .insertInto('publishers')
        .values({ ...publisher, created_at: 1, updated_at: 1 })
        .execute();
      for (let start = 0; start < packs; start += PACKS_AT_ONCE) {
        await insertPacks(tx, start, Math.min(packs, start + PACKS_AT_ONCE));
      }
      await bumpRevision(tx);
    });
  } finally {
    await db.destroy();
  }
}

async function insertPacks(tx: Db, start: number, end: number): Promise<void> {
  const numbers = Array.from({ length: end - start }, (_, index) => start + index);
  const latest = new Map(numbers.map((n) => [n, newId()]));
  const rows = numbers.map((n) => ({
    ...emptyPack(packId(n), PUBLISHER, 1_700_000_000_000 + n),
    name: `${rareWord(n)} ${COMMON[n % COMMON.length]}`,
    description: `Nodes for ${COMMON[(n * 7) % COMMON.length]} and ${rareWord(n * 31)}, made to be measured.`,
    repository: `https://example.com/bench/${packId(n)}`,
    downloads: (n * 7919) % 100_000,
    latest_version_id: latest.get(n) ?? null,
  }));
  const inserted = await tx
    .insertInto('packs')
    .values(rows)
    .returning(['seq', 'id', 'name', 'description'])
    .execute();
  for (const { seq, id, name, description } of inserted) {
    const words = { id, name, description, tags: [], publisher: PUBLISHER, author: null, innerNodes: [] };
    await putSearchWords(tx, seq, toSearchColumns(words));
  }
  const versions = numbers.flatMap((n) =>
    Array.from({ length: VERSIONS }, (_, index) => aVersion(packId(n), index, latest.get(n) ?? '')),
  );
  await tx.insertInto('pack_versions').values(versions).execute();
}

function aVersion(pack: string, index: number, latestId: string) {
  const version = `1.${index}.0`;
  return {
    id: index === VERSIONS - 1 ? latestId : newId(),
    pack_id: pack,
    version,
    version_key: versionKey(version),
    dependencies: '["numpy","pillow"]',
    deprecated: 0,
    status: 'active' as const,
    extract_status: 'success' as const,
    tags: '[]',
    tags_admin: '[]',
    supported_os: '["Linux","Windows"]',
    supported_accelerators: '[]',
    supported_version: '>=0.3.0',
    created_at: 1_700_000_000_000,
    updated_at: 1_700_000_000_000,
  };
}

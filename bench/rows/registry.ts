import type { Db } from '../../packages/server/src/platform/db/database.ts';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { bumpRevision, putSearchWords } from '../../packages/server/src/registry/catalogue/catalogue.repo.ts';
import { toSearchColumns } from '../../packages/server/src/registry/catalogue/pack-search-text.ts';
import { emptyPack } from '../../packages/server/src/registry/packs/pack-columns.ts';
import { versionKey } from '../../packages/server/src/registry/versions/version-order.ts';
import { httpLoad } from '../http-load.ts';
import type { MakeLoad, Row } from '../row.ts';
import { bareRoute, shared, startOurs } from '../servers.ts';

const SMALL = 2000;
const LARGE = 20_000;
const PUBLISHER = 'bench';
const CREATED_AT = 1_700_000_000_000;
const TIMES = { created_at: CREATED_AT, updated_at: CREATED_AT };

/** Syllables make as many different words as there are packs, some common and some rare, as in a real catalogue. */
const SYLLABLES = ['ka', 'lo', 'mi', 'tu', 'ren', 'vas', 'por', 'sel', 'dra', 'quin', 'zef', 'bol'];
const COMMON = ['image', 'video', 'mask', 'sampler', 'loader', 'upscale', 'text', 'audio', 'prompt'];

/** Of 400 packs, taken from all of the catalogue. */
const variety = (packs: number, path: (n: number) => string): string[] =>
  Array.from({ length: 400 }, (_, n) => path((n * 47) % packs));

type Paths = (packs: number) => readonly string[];

const list: Paths = () => ['/nodes?limit=30'];
const node: Paths = (packs) => variety(packs, (n) => `/nodes/${packId(n)}`);
const search: Paths = (packs) => variety(packs, (n) => `/nodes/search?search=${rareWord(n)}`);

/** On a catalogue of 20 000 packs and 100 000 versions, and how much slower than on a tenth of it. */
export const rows: readonly Row[] = [
  { name: 'registry-list', bar: 0.25, ours: ask(LARGE, list), bare: bareRoute() },
  { name: 'registry-node', bar: 0.25, ours: ask(LARGE, node), bare: bareRoute() },
  { name: 'registry-search', bar: 0.1, ours: ask(LARGE, search), bare: bareRoute() },
  { name: 'registry-list-growth', bar: 0.75, ours: ask(LARGE, list), bare: ask(SMALL, list) },
  { name: 'registry-node-growth', bar: 0.75, ours: ask(LARGE, node), bare: ask(SMALL, node) },
  { name: 'registry-search-growth', bar: 0.75, ours: ask(LARGE, search), bare: ask(SMALL, search) },
];

/** Compressed, as public clients ask; the answers are about a tenth of their plain size. */
function ask(packs: number, paths: Paths): MakeLoad {
  const requests = { paths: paths(packs), headers: { 'accept-encoding': 'gzip' } };
  return async (bench) => httpLoad(await catalogueServer(bench, packs), requests);
}

const catalogueServer = shared(async (bench, packs: number) => {
  const seed = async (tx: Db) => await seedRegistry(tx, packs);
  return await startOurs(bench, { seed });
});

function rareWord(n: number): string {
  const size = SYLLABLES.length;
  return [0, 1, 2, 3].map((place) => SYLLABLES[Math.floor(n / size ** place) % size]).join('');
}

function packId(n: number): string {
  return `pack-${String(n).padStart(6, '0')}`;
}

/** Packs, each with five active versions. */
async function seedRegistry(tx: Db, packs: number): Promise<void> {
  const publisher = { id: PUBLISHER, name: 'Bench', status: 'active', had_packs: 1, ...TIMES } as const;
  await tx.insertInto('publishers').values(publisher).execute();
  for (let n = 0; n < packs; n += 1) await insertPack(tx, n);
  await bumpRevision(tx);
}

async function insertPack(tx: Db, n: number): Promise<void> {
  const id = packId(n);
  const name = `${rareWord(n)} ${COMMON[n % COMMON.length]}`;
  const description = `Nodes for ${COMMON[(n * 7) % COMMON.length]} and ${rareWord(n * 31)}, made to be measured.`;
  const versions = Array.from({ length: 5 }, (_, index) => aVersion(id, `1.${index}.0`));
  const pack = {
    ...emptyPack(id, PUBLISHER, CREATED_AT + n),
    name,
    description,
    repository: `https://example.com/bench/${id}`,
    downloads: (n * 7919) % 100_000,
    latest_version_id: versions.at(-1)?.id ?? null,
  };
  const { seq } = await tx.insertInto('packs').values(pack).returning('seq').executeTakeFirstOrThrow();
  const words = { id, name, description, tags: [], publisher: PUBLISHER, author: null, innerNodes: [] };
  await putSearchWords(tx, seq, toSearchColumns(words));
  await tx.insertInto('pack_versions').values(versions).execute();
}

function aVersion(pack_id: string, version: string) {
  const supported = { supported_os: '["Linux"]', supported_accelerators: '[]', supported_version: '>=0.3.0' };
  const state = { status: 'active', extract_status: 'success', deprecated: 0 } as const;
  const texts = { dependencies: '["numpy","pillow"]', tags: '[]', tags_admin: '[]', ...supported };
  return { id: newId(), pack_id, version, version_key: versionKey(version), ...state, ...texts, ...TIMES };
}

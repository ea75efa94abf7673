import { startServer } from '@atelier/testing';

import { httpLoad } from '../http-load.ts';
import type { Bench, Load, Row, Target } from '../row.ts';
import { packId, rareWord, seedRegistry } from '../seed-registry.ts';

const SMALL = 2000;
const LARGE = 20_000;

/** Of 400 packs, taken from all of the catalogue. */
const variety = (packs: number, path: (n: number) => string): string[] =>
  Array.from({ length: 400 }, (_, n) => path((n * 47) % packs));

type Paths = (packs: number) => readonly string[];

const list: Paths = () => ['/nodes?limit=30'];
const node: Paths = (packs) => variety(packs, (n) => `/nodes/${packId(n)}`);
const search: Paths = (packs) => variety(packs, (n) => `/nodes/search?search=${rareWord(n)}`);

/** On a catalogue of 20 000 packs and 100 000 versions, and how much slower than on a tenth of it. */
export const rows: readonly Row[] = [
  againstBare('registry-list', 0.25, list),
  againstBare('registry-node', 0.25, node),
  againstBare('registry-search', 0.1, search),
  againstSmall('registry-list-growth', list),
  againstSmall('registry-node-growth', node),
  againstSmall('registry-search-growth', search),
];

function againstBare(name: string, bar: number, paths: Paths): Row {
  return {
    name,
    bar,
    prepare: async (bench) => ({
      ours: await ask(bench, LARGE, paths),
      bare: httpLoad(bench.bare, { path: '/bare' }),
    }),
  };
}

function againstSmall(name: string, paths: Paths): Row {
  return {
    name,
    bar: 0.75,
    prepare: async (bench) => ({
      ours: await ask(bench, LARGE, paths),
      bare: await ask(bench, SMALL, paths),
    }),
  };
}

/** Compressed, as public clients ask; the answers are about a tenth of their plain size. */
async function ask(bench: Bench, packs: number, paths: Paths): Promise<Load> {
  const headers = { 'accept-encoding': 'gzip' };
  return httpLoad(await catalogueOf(bench, packs), { path: paths(packs), headers });
}

const started = new Map<number, Promise<Target>>();

/** A server with so many packs, started once for all rows. */
async function catalogueOf(bench: Bench, packs: number): Promise<Target> {
  const known = started.get(packs) ?? start(bench, packs);
  started.set(packs, known);
  return await known;
}

async function start({ cleanUp }: Bench, packs: number): Promise<Target> {
  const empty = cleanUp.use(await startServer());
  await empty.stop();
  await seedRegistry(empty.dataFolder, packs);
  const server = cleanUp.use(await empty.restart());
  return { url: server.url, pid: server.process.pid };
}

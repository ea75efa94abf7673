import { type RunningServer, startServer } from '@atelier/testing';

import { httpLoad } from '../http-load.ts';
import type { Bench, Load, RatioRow, Row, Target } from '../row.ts';
import { packId, rareWord, seedRegistry } from '../seed-registry.ts';
import { walkLoad } from '../walk-load.ts';

const SMALL = 2000;
const LARGE = 20_000;
/** Different requests that take turns, more than one page or one word that a cache could hold alone. */
const VARIETY = 400;
/** As public clients ask; the answers are about a tenth of their plain size. */
const HEADERS = { 'accept-encoding': 'gzip' };

interface Question {
  readonly name: string;
  /** At least so much of the bare route's rate. */
  readonly bar?: number;
  readonly paths: (packs: number) => string[];
}

const QUESTIONS: readonly Question[] = [
  { name: 'registry-list', bar: 0.25, paths: () => ['/nodes?limit=30'] },
  {
    name: 'registry-node',
    bar: 0.25,
    paths: (packs) => variety((n) => `/nodes/${packId((n * 47) % packs)}`),
  },
  {
    name: 'registry-search',
    bar: 0.1,
    paths: (packs) => variety((n) => `/nodes/search?search=${rareWord((n * 47) % packs)}`),
  },
];

/** Other pages than the one that is asked for most; measured, without a bar of their own. */
const PAGES: Question = {
  name: 'registry-pages',
  paths: (packs) => variety((n) => `/nodes?limit=30&page=${1 + (n % Math.floor(packs / 30))}`),
};

/** On average thirty packs. All pages of all sizes are several times the cache, so each is rendered again. */
const PAGE_SIZES = [25, 26, 27, 28, 29, 31, 32, 33, 34, 35];

/** What a client pays that takes its answers as they are. */
const PLAIN = {};

/** On a catalogue of 20 000 packs and 100 000 versions, and how much slower than on a tenth of it. */
export const rows: readonly Row[] = [
  ...QUESTIONS.flatMap((question) => [againstBare(question), againstSmall(question)]),
  againstBare(PAGES),
  walk('registry-pages-new', newPages, HEADERS),
  { ...walk('registry-list-plain', () => ['/nodes?limit=30'], PLAIN), bar: 0.25 },
  walk('registry-pages-plain', newPages, PLAIN),
];

function newPages(packs: number): string[] {
  return PAGE_SIZES.flatMap((limit) =>
    Array.from({ length: Math.floor(packs / limit) }, (_, n) => `/nodes?limit=${limit}&page=${n + 1}`),
  );
}

/** Both sides with the driver that reads large answers faster than a server sends them. */
function walk(name: string, paths: Question['paths'], headers: Readonly<Record<string, string>>): RatioRow {
  return {
    kind: 'ratio',
    name,
    prepare: async (bench) => ({
      ours: walkLoad(await catalogueOf(bench, LARGE), { paths: paths(LARGE), headers }),
      bare: walkLoad(bench.bare, { paths: ['/bare'] }),
    }),
  };
}

function againstBare({ name, bar, paths }: Question): RatioRow {
  return {
    kind: 'ratio',
    name,
    ...(bar === undefined ? {} : { bar }),
    prepare: async (bench) => ({
      ours: ask(await catalogueOf(bench, LARGE), paths(LARGE)),
      bare: httpLoad(bench.bare, { path: '/bare' }),
    }),
  };
}

function againstSmall({ name, paths }: Question): RatioRow {
  return {
    kind: 'ratio',
    name: `${name}-growth`,
    bar: 0.75,
    prepare: async (bench) => ({
      ours: ask(await catalogueOf(bench, LARGE), paths(LARGE)),
      bare: ask(await catalogueOf(bench, SMALL), paths(SMALL)),
    }),
  };
}

function ask(target: Target, paths: readonly string[]): Load {
  return httpLoad(target, { path: paths, headers: HEADERS });
}

function variety(path: (n: number) => string): string[] {
  return Array.from({ length: VARIETY }, (_, n) => path(n));
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
  const server: RunningServer = cleanUp.use(await empty.restart());
  return { url: server.url, pid: server.process.pid };
}

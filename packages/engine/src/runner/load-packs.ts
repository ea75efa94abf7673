import { existsSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NodePack } from '../declare/node-type.ts';
import { findPackFault } from './check-pack.ts';

export interface PackSources {
  /** Addresses of modules that export a `pack`, such as `import.meta.resolve('@atelier/nodes')`. */
  readonly modules: readonly string[];
  /** Folders of the operator's own packs, each with an `index.ts` or `index.js` that exports a `pack`. */
  readonly folders?: readonly string[];
  /** How long a module may take to import. */
  readonly importMs?: number;
}

export class PackError extends Error {
  readonly pack: string;
  readonly why: string;

  constructor(pack: string, why: string, options?: ErrorOptions) {
    super(`The node pack ${pack} cannot be loaded: ${why}`, options);
    this.name = 'PackError';
    this.pack = pack;
    this.why = why;
  }
}

const ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs'];
const IMPORT_MS = 30_000;

export async function loadPacks({
  modules,
  folders = [],
  importMs = IMPORT_MS,
}: PackSources): Promise<readonly NodePack[]> {
  const builtIn = await Promise.all(
    modules.map(async (url) => ({ ...(await importPack(url, url, importMs)), builtIn: true })),
  );
  if (folders.length > 0) letFoldersImportUs();
  const own: NodePack[] = [];
  for (const folder of folders) own.push(await loadFolder(folder, importMs));
  return [...builtIn, ...own];
}

async function loadFolder(folder: string, importMs: number): Promise<NodePack> {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new PackError(folder, 'there is no such folder.');
  const entry = ENTRIES.find((name) => existsSync(join(path, name)));
  if (!entry) throw new PackError(folder, `it has none of ${ENTRIES.join(', ')}.`);
  const pack = await importPack(pathToFileURL(join(path, entry)).href, folder, importMs);
  return { ...pack, name: pack.name || basename(path), builtIn: false };
}

async function importPack(url: string, where: string, importMs: number): Promise<NodePack> {
  let loaded: unknown;
  try {
    loaded = await inTime(import(url), importMs);
  } catch (error) {
    throw new PackError(where, error instanceof Error ? error.message : String(error), { cause: error });
  }
  const pack = exportedPack(loaded);
  const fault = findPackFault(pack);
  if (fault) throw new PackError(where, fault);
  return pack as NodePack;
}

/** A module may wait for something. One that computes forever cannot be stopped from its own process. */
async function inTime<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`it was not ready within ${ms / 1000} seconds.`));
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A CommonJS module may have its exports only as its default export. */
function exportedPack(loaded: unknown): unknown {
  if (typeof loaded !== 'object' || loaded === null) return undefined;
  if ('pack' in loaded) return loaded.pack;
  return 'default' in loaded ? exportedPack(loaded.default) : undefined;
}

let hooked = false;

/** Lets packs anywhere on the disk import the engine, which Node would not find from there. */
function letFoldersImportUs(): void {
  if (hooked) return;
  hooked = true;
  const ours = new Map(OURS.flatMap((name) => addressOf(name)));
  registerHooks({
    resolve(specifier, context, next) {
      const url = ours.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}

const OURS = ['@atelier/engine', '@atelier/nodes'];

/** `@atelier/nodes` may be missing when the engine is used alone. */
function addressOf(name: string): (readonly [name: string, url: string])[] {
  try {
    return [[name, import.meta.resolve(name)]];
  } catch {
    return [];
  }
}

import { existsSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NodePack } from '../declare/node-pack.ts';

/** Where node types come from. */
export interface PackSources {
  /** Addresses of modules that export a `pack`, such as `import.meta.resolve('@atelier/nodes')`. */
  readonly modules: readonly string[];
  /** Folders of packs that belong to who runs this, each with an `index.ts` or `index.js` that exports a `pack`. */
  readonly folders?: readonly string[];
}

/** A pack that cannot be loaded; the message names it and says why. */
export class PackError extends Error {
  constructor(where: string, why: string, options?: ErrorOptions) {
    super(`The node pack ${where} cannot be loaded: ${why}`, options);
    this.name = 'PackError';
  }
}

const ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];

export async function loadPacks({ modules, folders = [] }: PackSources): Promise<readonly NodePack[]> {
  const builtIn = await Promise.all(
    modules.map(async (url) => ({ ...(await importPack(url, url)), builtIn: true })),
  );
  if (folders.length > 0) letFoldersImportUs();
  const own: NodePack[] = [];
  for (const folder of folders) own.push(await loadFolder(folder));
  return [...builtIn, ...own];
}

async function loadFolder(folder: string): Promise<NodePack> {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new PackError(folder, 'there is no such folder.');
  const entry = ENTRIES.find((name) => existsSync(join(path, name)));
  if (!entry) throw new PackError(folder, `it has none of ${ENTRIES.join(', ')}.`);
  const pack = await importPack(pathToFileURL(join(path, entry)).href, folder);
  return { ...pack, name: pack.name || basename(path), builtIn: false };
}

async function importPack(url: string, where: string): Promise<NodePack> {
  let loaded: unknown;
  try {
    loaded = await import(url);
  } catch (error) {
    throw new PackError(where, error instanceof Error ? error.message : String(error), { cause: error });
  }
  const pack = typeof loaded === 'object' && loaded !== null && 'pack' in loaded ? loaded.pack : undefined;
  if (!isPack(pack)) throw new PackError(where, 'it does not export a `pack` made with `definePack`.');
  const names = new Set<string>();
  for (const { type } of pack.nodes) {
    if (names.has(type)) throw new PackError(where, `it declares ${type} twice.`);
    names.add(type);
  }
  return pack;
}

function isPack(value: unknown): value is NodePack {
  if (typeof value !== 'object' || value === null || !('name' in value && 'nodes' in value)) return false;
  return (
    typeof value.name === 'string' &&
    Array.isArray(value.nodes) &&
    value.nodes.every(
      (node: unknown) => typeof node === 'object' && node !== null && 'run' in node && 'type' in node,
    )
  );
}

let hooked = false;

/** A pack may lie anywhere on the disk, where Node would not find the packages it declares its nodes with. */
function letFoldersImportUs(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const ours = specifier === '@atelier/engine' || specifier === '@atelier/nodes';
      return next(specifier, ours ? { ...context, parentURL: import.meta.url } : context);
    },
  });
}

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export interface Import {
  /** Both from the project's root, with slashes. `to` is a path, or the name of a package of ours. */
  readonly from: string;
  readonly to: string;
  /** Gone at run time. */
  readonly isTypeOnly?: boolean;
}

/** What each package may import of the others: all of one, or one of its entries. Nothing imports the server. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  engine: ['contracts'],
  inspection: ['contracts', 'engine'],
  nodes: ['contracts', 'engine'],
  renderers: ['contracts', 'engine', 'nodes'],
  // Code of node types runs in workers only.
  // The console is built in a process of its own and served, never loaded.
  server: ['contracts', 'engine', 'inspection', 'renderers'],
  worker: ['contracts', 'engine', 'nodes'],
  sdk: ['contracts'],
  packing: ['contracts', 'inspection'],
  cli: ['contracts', 'inspection', 'packing', 'sdk'],
  console: ['contracts', 'engine/editor-format', 'sdk'],
};

/** Folders of the server that know nothing of the areas. */
const BELOW_AREAS = new Set(['platform', 'config']);

/** Why an import points the wrong way, or `undefined` when it is fine. */
export function wrongArrow({ from, to }: Import): string | undefined {
  const isTest = /\.(test|contract)\.ts$|\/test\//.test(from);
  const [, ownPackage] = /^packages\/([^/]+)\//.exec(from) ?? [];
  if (ownPackage === undefined || isTest) return undefined;
  const [, entry, named] = /^@atelier\/(([^/]+).*)/.exec(to) ?? [];
  if (entry !== undefined && named !== undefined) {
    const may = MAY_IMPORT[ownPackage] ?? [];
    return may.includes(named) || may.includes(entry) ? undefined : `${ownPackage} may not import ${entry}`;
  }
  if (!to.startsWith(`packages/${ownPackage}/`)) return 'another package is imported by its name';
  return ownPackage === 'server' ? wrongArrowInServer(from, to) : undefined;
}

function wrongArrowInServer(from: string, to: string): string | undefined {
  const source = areaOf(from);
  const target = areaOf(to);
  // Commands for operators put parts together, as compose.ts does.
  if (source === undefined || source === 'admin') return undefined;
  if (target === undefined) return 'only main.ts and compose.ts use the top-level files';
  if (source !== target) {
    if (source === 'config' && target === 'platform') return undefined;
    if (BELOW_AREAS.has(source)) return `${source} knows no area`;
    if (target === 'config') return 'settings are handed in by compose.ts';
    if (target !== 'platform') return `the areas ${source} and ${target} do not know each other`;
  }
  return wrongRole(from, to);
}

/** Routes call services, services call repositories. */
function wrongRole(from: string, to: string): string | undefined {
  if (from.endsWith('.routes.ts') && to.endsWith('.repo.ts')) return 'routes have no SQL';
  if (from.endsWith('.repo.ts') && /\.(routes|service)\.ts$/.test(to))
    return 'repositories are at the bottom';
  if (from.endsWith('.service.ts') && to.endsWith('.routes.ts')) return 'services know no HTTP';
  return undefined;
}

function areaOf(path: string): string | undefined {
  return /^packages\/server\/src\/([^/]+)\//.exec(path)?.[1];
}

/** Files that import each other in a circle at run time, each circle once, from its first file to the same again. */
export function circlesIn(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(
    imports.filter(({ isTypeOnly }) => isTypeOnly !== true),
    ({ from }) => from,
  );
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) circles.push([...path.slice(start), file]);
    if (start !== -1 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return circles;
}

/** The files that are loaded with one, types left aside. */
export function loadedWith(root: string, entry: string): ReadonlySet<string> {
  const targets = Map.groupBy(
    importsOf(root).filter(({ isTypeOnly }) => isTypeOnly !== true),
    ({ from }) => from,
  );
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const { to } of targets.get(file) ?? []) loaded.add(fileOf(root, to));
  }
  return loaded;
}

/** The file behind the name of a package of ours, such as `@atelier/engine/threads`. */
function fileOf(root: string, to: string): string {
  const [, name, subpath = ''] = /^@atelier\/([^/]+)(\/.+)?$/.exec(to) ?? [];
  if (name === undefined) return to;
  const { exports } = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  return `packages/${name}/${exports[`.${subpath}`]?.slice('./'.length)}`;
}

export function importsOf(root: string): Import[] {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root });
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(
      /(?<type>^(?:im|ex)port type [^';]*?)?\b(?:from|import)\s*\(?'(?<specifier>[^']+)'/gm,
    );
    return [...found].flatMap(({ groups = {} }) => {
      const { type, specifier = '' } = groups;
      if (!specifier.startsWith('.') && !specifier.startsWith('@atelier/')) return [];
      const to = specifier.startsWith('.')
        ? relative(root, join(root, dirname(file), specifier)).replaceAll(sep, '/')
        : specifier;
      return [{ from: file.replaceAll(sep, '/'), to, isTypeOnly: type !== undefined }];
    });
  });
}

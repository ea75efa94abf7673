import { groupBy } from '../maps.ts';
import type { Module, Modules } from './modules.ts';
import type { Scope } from './scopes.ts';
import { changesSearchPath } from './search-path.ts';
import { type Call, calledName, type Expression, type ImportStatement, partsOf } from './syntax.ts';

/** Tests, and tools in folders such as `.github`, whose names no import can have. */
const TEST = /(?:^|\/)tests?\/|(?:^|\/)\.[^/]+\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyw?$/i;
/** Files that clients and ComfyUI run, besides the root module. */
const RUN_BY_OTHERS = /^(?:[^/]+\/)?(?:install|prestartup_script|setup)\.py$/;
const LOADERS =
  /^(?:import_module|__import__|spec_from_file_location|SourceFileLoader|run_path|run_module|load_source|load_module|exec_module|walk_packages|iter_modules|exec|execfile)$/;

/** These take paths, which may lead anywhere. */
const PATH_LOADERS = /^(?:spec_from_file_location|SourceFileLoader|run_path|load_source|execfile)$/;

/** The module that ComfyUI loads: the `__init__.py` of the folder of all sources. */
export function rootOf({ all }: Modules): Module | undefined {
  const own = all.find(({ file }) => file === '__init__.py');
  if (own) return own;
  const [first = ''] = all.map(({ file }) => file);
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || !all.every(({ file }) => file.startsWith(folder))) return undefined;
  return all.find(({ file }) => file === `${folder}__init__.py`);
}

/**
 * Tests and tools that nothing in the pack imports. If the pack computes module names, or changes the search path, any file
 * may be imported.
 */
export function unreachedTests(modules: Modules): ReadonlySet<string> {
  const tests = modules.all.filter(({ file }) => TEST.test(file));
  const root = rootOf(modules);
  if (tests.length === 0 || !root) return new Set();
  const byStem = groupBy(tests, ({ file }) => stemOf(file));
  const reached = new Set<Module>();
  const waiting = modules.all.filter((one) => one === root || RUN_BY_OTHERS.test(one.file));
  for (let module = waiting.pop(); module; module = waiting.pop()) {
    if (reached.has(module)) continue;
    reached.add(module);
    const imported = changesSearchPath(module.scope) ? undefined : importedBy(modules, module.scope);
    if (!imported) return new Set();
    waiting.push(...imported, ...lastNames(module.scope).flatMap((name) => byStem.get(name) ?? []));
  }
  return new Set(tests.filter((test) => !reached.has(test)).map(({ file }) => file));
}

/** The name of a module for its importers. */
function stemOf(file: string): string {
  return file
    .replace(/\/__init__\.pyw?$/i, '')
    .replace(/^.*\//, '')
    .replace(/\.pyw?$/i, '');
}

/** The last step of every imported name, which may be the name of a test. */
function lastNames(scope: Scope): string[] {
  const own = scope.imports.flatMap(({ from, names }) => [from ?? '', ...names.map(({ name }) => name)]);
  const last = own.map((name) => name.slice(name.lastIndexOf('.') + 1));
  return [...last, ...scope.inner.flatMap(lastNames)];
}

/** `undefined` if module names are computed. */
function importedBy(modules: Modules, scope: Scope): Module[] | undefined {
  const isRenamed = scope.imports.some(({ names }) => names.some(({ name, as }) => as && LOADERS.test(name)));
  if (isRenamed || scope.roots.some(({ expression }) => isLoaderAsValue(expression))) return undefined;
  const found = scope.imports.flatMap((statement) => importedModules(modules, scope.file, statement));
  for (const call of scope.calls) {
    const name = loadedName(call);
    if (name === undefined) return undefined;
    const level = /^\.*/.exec(name)?.[0].length ?? 0;
    found.push(...pathTo(modules, scope.file, level, name.slice(level)));
  }
  for (const inner of scope.inner) {
    const more = importedBy(modules, inner);
    if (!more) return undefined;
    found.push(...more);
  }
  return found;
}

/** `load = importlib.import_module`: its calls are not followed. */
function isLoaderAsValue(expression: Expression): boolean {
  if ((expression.kind === 'name' || expression.kind === 'attribute') && LOADERS.test(expression.id))
    return true;
  if (expression.kind !== 'call') return partsOf(expression).some(isLoaderAsValue);
  const { callee, args } = expression;
  const inCallee = callee.kind === 'name' ? [] : partsOf(callee);
  return [...inCallee, ...args.map(({ value }) => value)].some(isLoaderAsValue);
}

/** The module that a call loads: `''` for none, `undefined` for a computed name. */
function loadedName({ callee, args }: Call): string | undefined {
  const id = calledName(callee);
  if (!LOADERS.test(id)) return '';
  const [first] = args;
  if (PATH_LOADERS.test(id)) return undefined;
  return first?.value.kind === 'text' ? first.value.value : undefined;
}

function importedModules(modules: Modules, file: string, { level, from, names }: ImportStatement): Module[] {
  return names.flatMap(({ name }) => {
    if (from === undefined) return pathTo(modules, file, 0, name);
    const below = name === '*' ? [] : pathTo(modules, file, level, from === '' ? name : `${from}.${name}`);
    return [...pathTo(modules, file, level, from), ...below];
  });
}

function pathTo(modules: Modules, file: string, level: number, dotted: string): Module[] {
  const steps = dotted.split('.');
  return steps.flatMap((_, index) => {
    const found = modules.find(file, level, steps.slice(0, index + 1).join('.'));
    return found ? [found] : [];
  });
}

import { lookUp } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import type { Call, Expression } from '../python/syntax.ts';
import { type CheckUse, ranFrom } from './checks.ts';
import { constantText } from './constant-text.ts';
import type { Flows } from './flows.ts';
import { argumentOf } from './program-arguments.ts';
import { FROM } from './sources.ts';

const INSTALLERS = /^(?:pip|ensurepip|easy_install|uv|conda|setuptools\.command\.easy_install)(?:\.|$)/;
const RUNNING_TCL = /\b(?:exec|open|eval|source|load|socket|send|subst|uplevel|file|glob)\b/;
const ARCHIVE = /\.(?:zip|whl|egg|pyz)$/i;

/** Code in texts, for functions that also run it: `timeit.timeit(stmt=…)`, `cProfile.run(…)`. */
export const checkCodeText: CheckUse = ({ call, scope }, { flows }) => {
  if (!call) return undefined;
  const codes = codeTexts(call).filter((code) => !isFunction(code, scope));
  const texts = codes.map((code) => constantText(code, scope));
  if (texts.some((text) => text?.form === 'coded')) return 'obfuscated-payload';
  const computed = codes.filter((_, index) => !texts[index]);
  const flags = computed.reduce((sum, code) => sum | flows.of(code, scope), 0);
  return computed.length === 0 ? undefined : (ranFrom(flags) ?? 'dynamic-execution');
};

export function codeTexts(call: Call): readonly Expression[] {
  const first = argumentOf(call, 0, 'stmt', 'statement', 'cmd', 'source', 'line');
  const setup = call.args.find(({ name }) => name === 'setup');
  return [first, setup?.value].filter((code) => code !== undefined);
}

function isFunction(code: Expression, scope: Scope): boolean {
  if (code.kind === 'lambda' || code.kind === 'attribute') return true;
  if (code.kind !== 'name') return false;
  const bounds = lookUp(scope, code.id) ?? [];
  return bounds.some(
    (bound) => bound.kind === 'function' || (bound.kind === 'value' && bound.value.kind === 'lambda'),
  );
}

/** `webbrowser.get("program %s")` starts that program. */
export const checkBrowser: CheckUse = ({ call, scope }) => {
  const using = call && argumentOf(call, 0, 'using');
  return using && constantText(using, scope)?.value.includes('%s') ? 'process-start' : undefined;
};

/** Tcl can start programs and read files, but most scripts are about windows. */
export const checkTcl: CheckUse = ({ call, scope }) => {
  const [script] = call?.args ?? [];
  if (!script) return undefined;
  const text = constantText(script.value, scope);
  return text?.form === 'plain' && !RUNNING_TCL.test(text.value) ? undefined : 'dynamic-execution';
};

/** A console runs any code that is typed in. */
export const checkConsole: CheckUse = ({ call }) => (call ? 'dynamic-execution' : undefined);

/** `runpy.run_module("pip")`: the module is not hidden, but may be an installer. */
export const checkModuleRun: CheckUse = ({ call, scope }, { flows }) => {
  const name = call && argumentOf(call, 0, 'mod_name');
  if (!name) return 'dynamic-execution';
  const text = constantText(name, scope);
  if (!text) return ranFrom(flows.of(name, scope)) ?? 'dynamic-execution';
  if (INSTALLERS.test(text.value)) return 'package-install';
  return text.form === 'coded' ? 'obfuscated-payload' : undefined;
};

/** `sys.path.insert(0, "lib.zip")`: Python also imports from archives. */
export const checkModulePath: CheckUse = ({ call, scope }, { flows, archives }) =>
  call?.args.some(({ value }) => namesArchive(value, scope, flows, archives)) ? 'archive-import' : undefined;

export const checkSiteFolder: CheckUse = (use, knowledge) => {
  const folder = use.call && argumentOf(use.call, 0, 'sitedir');
  const isOwn = folder && knowledge.flows.of(folder, use.scope) & FROM.pack;
  return checkModulePath(use, knowledge) ?? (isOwn ? { note: 'dynamic-execution' } : 'dynamic-execution');
};

export const checkArchiveImport: CheckUse = ({ call, scope }, { flows }) => {
  const path = call && argumentOf(call, 0, 'path', 'archivepath');
  return path && (ranFrom(flows.of(path, scope)) ?? 'archive-import');
};

export function namesArchive(
  path: Expression,
  scope: Scope,
  flows: Flows,
  archives: ReadonlySet<string>,
): boolean {
  return flows
    .wordsOf(path, scope)
    .some((word) => ARCHIVE.test(word) || archives.has(word.slice(word.lastIndexOf('/') + 1)));
}

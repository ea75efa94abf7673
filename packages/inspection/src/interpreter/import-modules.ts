import type { Module } from '../python/modules.ts';
import type { Argument, Expression, ImportStatement } from '../python/syntax.ts';
import { bindName } from './frames.ts';
import { createFrame, Exhausted, type Interpreter } from './machine.ts';
import { external, type Frame, isKind, type ModuleValue, UNKNOWN, type Value } from './values.ts';

const STEPS = 300_000;
const IMPORTERS = new Set(['importlib.import_module', 'builtins.__import__', 'importlib.__import__']);

/** Runs each module of the pack once, in the order of the imports. */
export function createLoader(it: () => Interpreter): Interpreter['load'] {
  const loaded = new Map<Module, ModuleValue>();
  return (module) => {
    const before = loaded.get(module);
    // In an import cycle, a module sees the part of the other that has run.
    if (before) return before;
    const { machine, run } = it();
    return machine.apart(STEPS, () => {
      const frame = createFrame(machine, { kind: 'module', file: module.file });
      const value: ModuleValue = { kind: 'module', frame };
      loaded.set(module, value);
      try {
        frame.isCut = machine.deeper(() => (run(module.statements, frame), true)) === undefined;
      } catch (error) {
        if (!(error instanceof Exhausted)) throw error;
        frame.isCut = true;
      }
      return value;
    });
  };
}

export function runImport(it: Interpreter, statement: ImportStatement, frame: Frame): void {
  const { level, from, names } = statement;
  for (const { name, as } of names) {
    if (from === undefined) importModule(it, name, as, frame);
    else if (name === '*') importAll(it, level, from, frame);
    else bindName(it.machine, frame, as ?? name, importMember(it, level, from, name, frame));
  }
}

/** `import a.b` names `a`, `import a.b as c` names `a.b`. */
function importModule(it: Interpreter, name: string, as: string | undefined, frame: Frame): void {
  const [first = name] = name.split('.', 1);
  const found = it.modules.find(frame.file, 0, name);
  const value = found && it.load(found);
  const named = as === undefined ? it.modules.find(frame.file, 0, first) : found;
  const bound = named ? it.load(named) : as === undefined ? external(first) : (value ?? external(name));
  bindName(it.machine, frame, as ?? first, bound);
}

function importMember(it: Interpreter, level: number, from: string, name: string, frame: Frame): Value {
  const owner = it.modules.find(frame.file, level, from);
  const own = owner && owner.file !== frame.file ? it.load(owner).frame.names.get(name) : undefined;
  if (own !== undefined) return own;
  const below = it.modules.find(frame.file, level, from === '' ? name : `${from}.${name}`);
  if (below) return it.load(below);
  if (owner?.file === frame.file) return frame.names.get(name) ?? UNKNOWN;
  return external(`${level > 0 ? '?.' : ''}${from}.${name}`);
}

function importAll(it: Interpreter, level: number, from: string, frame: Frame): void {
  const owner = it.modules.find(frame.file, level, from);
  if (!owner || owner.file === frame.file) return;
  const { names, isCut } = it.load(owner).frame;
  const listed = names.get('__all__');
  const chosen =
    isKind(listed, 'list') && listed.gaps === 0
      ? listed.items.filter((name) => typeof name === 'string')
      : [...names.keys()].filter((name) => !name.startsWith('_'));
  it.machine.step(chosen.length);
  for (const name of chosen) bindName(it.machine, frame, name, names.get(name) ?? UNKNOWN);
  if (isCut) frame.isCut = true;
}

export function moduleMember(it: Interpreter, { frame }: ModuleValue, id: string): Value {
  const own = frame.names.get(id);
  if (own !== undefined) return own;
  const below = it.modules.find(frame.file, 1, id);
  return below ? it.load(below) : UNKNOWN;
}

export function isImporter(value: Value): boolean {
  return isKind(value, 'external') && !value.args && IMPORTERS.has(value.path);
}

/** `importlib.import_module(".nodes", __name__)` */
export function importByCall(it: Interpreter, args: readonly Argument[], frame: Frame): Value {
  const [first] = args;
  const name = first ? moduleName(it, first.value, frame) : undefined;
  if (name === undefined) return UNKNOWN;
  const level = /^\.*/.exec(name)?.[0].length ?? 0;
  const found = it.modules.find(frame.file, level, name.slice(level));
  return found ? it.load(found) : external(level > 0 ? `?${name}` : name);
}

/** The name of a module, relative if it begins with that of the importing package. */
function moduleName(it: Interpreter, expression: Expression, frame: Frame): string | undefined {
  const parts =
    expression.kind === 'format'
      ? expression.parts
      : expression.kind === 'operation' && expression.operator === '+'
        ? expression.operands
        : [expression];
  const [first] = parts;
  const isOwn = typeof first === 'object' && first.kind === 'name' && /^__(?:name|package)__$/.test(first.id);
  let name = '';
  for (const part of isOwn ? parts.slice(1) : parts) {
    const text = typeof part === 'string' ? part : it.evaluate(part, frame);
    if (typeof text !== 'string') return undefined;
    name += text;
  }
  return isOwn && !name.startsWith('.') ? undefined : name;
}

import type {
  Assignment,
  Block,
  ClassDefinition,
  Expression,
  FunctionDefinition,
  Statement,
} from '../python/syntax.ts';
import { deleteItem, setItem, updateDict } from './container-methods.ts';
import { bindName } from './frames.ts';
import { runImport } from './import-modules.ts';
import { Exhausted, type Interpreter, type Jump } from './machine.ts';
import { iterate, operate, truth } from './operations.ts';
import { type Frame, GAP, isKind, itemOfUnknown, UNKNOWN, type Value } from './values.ts';

/** Runs statements in order. After a jump that may not happen, the others may not run. */
export function runStatements(
  it: Interpreter,
  statements: readonly Statement[],
  frame: Frame,
): Jump | undefined {
  let left: Jump | undefined;
  let leave: (() => void) | undefined;
  try {
    for (const statement of statements) {
      it.machine.step();
      const jump = runStatement(it, statement, frame);
      if (!jump) continue;
      left = left ? { ...jump, isMaybe: true } : jump;
      if (!jump.isMaybe) return left;
      leave ??= it.machine.enterMaybe();
    }
    return left;
  } finally {
    leave?.();
  }
}

function runStatement(it: Interpreter, statement: Statement, frame: Frame): Jump | undefined {
  switch (statement.kind) {
    case 'import':
      runImport(it, statement, frame);
      return undefined;
    case 'assignment':
      runAssignment(it, statement, frame);
      return undefined;
    case 'expression':
      it.evaluate(statement.value, frame);
      return undefined;
    case 'return':
      frame.returns.push(statement.value ? it.evaluate(statement.value, frame) : null);
      return { word: 'return', isMaybe: false };
    case 'delete':
      for (const target of statement.targets) deleteTarget(it, target, frame);
      return undefined;
    case 'jump':
      return { word: statement.word, isMaybe: false };
    case 'outer':
      for (const name of statement.names) frame.outer.add(name);
      return undefined;
    case 'function':
      bindName(it.machine, frame, statement.name, defineFunction(it, statement, frame));
      return undefined;
    case 'class':
      bindName(it.machine, frame, statement.name, defineClass(it, statement, frame));
      return undefined;
    case 'block':
      return runBlock(it, statement, frame);
  }
}

function runAssignment(it: Interpreter, { targets, value, operator }: Assignment, frame: Frame): void {
  if (!value) return;
  const given = it.evaluate(value, frame);
  if (operator === undefined) {
    for (const target of targets) assign(it, target, given, frame);
    return;
  }
  for (const target of targets) {
    const before = it.evaluate(target, frame);
    if (operator === '|=' && isKind(before, 'dict')) updateDict(it.machine, before, given);
    else assign(it, target, operate(it.machine, operator.slice(0, -1), [before, given]), frame);
  }
}

export function assign(it: Interpreter, target: Expression, value: Value, frame: Frame): void {
  if (target.kind === 'name') bindName(it.machine, frame, target.id, value);
  else if (target.kind === 'sequence') {
    const parts =
      isKind(value, 'list') && value.gaps === 0 && value.items.length === target.items.length
        ? value.items
        : [];
    const otherwise = itemOfUnknown(value);
    for (const [index, item] of target.items.entries()) assign(it, item, parts[index] ?? otherwise, frame);
  } else if (target.kind === 'attribute') {
    const object = it.evaluate(target.of, frame);
    if (isKind(object, 'module')) object.frame.names.set(target.id, value);
    else if (isKind(object, 'class') || isKind(object, 'instance')) object.attributes.set(target.id, value);
  } else if (target.kind === 'index') {
    const object = it.evaluate(target.of, frame);
    const [key] = target.keys;
    const isItem = key && target.keys.length === 1 && !target.isSlice;
    if (isKind(object, 'list') || isKind(object, 'dict'))
      setItem(it.machine, object, isItem ? it.evaluate(key, frame) : UNKNOWN, value);
  } else if (target.kind === 'other') {
    for (const part of target.parts) assign(it, part, UNKNOWN, frame);
  }
}

function deleteTarget(it: Interpreter, target: Expression, frame: Frame): void {
  if (target.kind === 'name' && !it.machine.isMaybe(frame.born)) frame.names.delete(target.id);
  if (target.kind !== 'index') return;
  const object = it.evaluate(target.of, frame);
  const [key] = target.keys;
  if (isKind(object, 'list') || isKind(object, 'dict'))
    deleteItem(it.machine, object, key && !target.isSlice ? it.evaluate(key, frame) : UNKNOWN);
}

function defineFunction(it: Interpreter, statement: FunctionDefinition, frame: Frame): Value {
  const { name, parameters, body, decorators } = statement;
  let value: Value = { kind: 'function', name, parameters, body, frame, binding: 'plain' };
  for (const decorator of decorators.toReversed()) {
    const by = it.evaluate(decorator, frame);
    const isOwn = isKind(by, 'function') || isKind(by, 'class') || isKind(by, 'instance');
    const isKnown = isKind(by, 'external') && /^builtins\.(?:class|static)method$/.test(by.path);
    // Assumes that decorators of libraries keep the results of a function.
    if (isOwn || isKnown) value = it.apply(by, [{ stars: 0, value }]);
  }
  return value;
}

function defineClass(it: Interpreter, definition: ClassDefinition, frame: Frame): Value {
  const bases = definition.bases
    .filter(({ name, stars }) => name === undefined && stars === 0)
    .map(({ value }) => it.evaluate(value, frame));
  let defined: Value = { kind: 'class', definition, frame, bases, attributes: new Map() };
  for (const decorator of definition.decorators.toReversed()) {
    const decorated = it.apply(it.evaluate(decorator, frame), [{ stars: 0, value: defined }]);
    if (isKind(decorated, 'class')) defined = decorated;
  }
  return defined;
}

function runBlock(it: Interpreter, block: Block, frame: Frame): Jump | undefined {
  if (block.isScript) return undefined;
  const done = it.machine.deeper(() => ({ jump: runKind(it, block, frame) }));
  if (!done) throw new Exhausted();
  return done.jump;
}

function runKind(it: Interpreter, block: Block, frame: Frame): Jump | undefined {
  const [first] = block.branches;
  switch (first?.word ?? '') {
    case 'if':
      return runIf(it, block, frame);
    case 'for':
      return runLoop(it, block, frame);
    case 'try':
      // Assumes that nothing fails: an `except` branch does not show what the pack is for.
      return runTry(it, block, frame);
    case 'with':
      for (const head of block.heads) it.evaluate(head, frame);
      for (const { target } of block.bindings) assign(it, target, UNKNOWN, frame);
      return it.run(block.body, frame);
    default: {
      for (const head of block.heads) it.evaluate(head, frame);
      const jump = it.machine.inMaybe(() => it.run(block.body, frame));
      return first?.word === 'while' ? outOfLoop(jump) : jump && { ...jump, isMaybe: true };
    }
  }
}

/** `finally` always runs, and its return value wins. */
function runTry(it: Interpreter, { branches }: Block, frame: Frame): Jump | undefined {
  const bodyOf = (isLast: boolean) =>
    branches
      .filter(({ word }) => word !== 'except' && (word === 'finally') === isLast)
      .flatMap(({ body }) => body);
  const start = frame.returns.length;
  const jump = it.run(bodyOf(false), frame);
  const returned = frame.returns.length;
  const last = it.run(bodyOf(true), frame);
  if (!last) return jump;
  if (last.isMaybe) return jump && !jump.isMaybe ? jump : last;
  frame.returns.splice(start, returned - start);
  return last;
}

function outOfLoop(jump: Jump | undefined): Jump | undefined {
  if (!jump || jump.word === 'break' || jump.word === 'continue') return undefined;
  return { ...jump, isMaybe: true };
}

function runIf(it: Interpreter, { branches }: Block, frame: Frame): Jump | undefined {
  const jumps: (Jump | undefined)[] = [];
  let isSure = true;
  for (const { word, test, body } of branches) {
    const known = word === 'else' || !test ? true : truth(it.evaluate(test, frame));
    if (known === false) continue;
    if (known && isSure) return it.run(body, frame);
    isSure = false;
    jumps.push(it.machine.inMaybe(() => it.run(body, frame)));
    if (known) return together(jumps);
  }
  return together([...jumps, undefined]);
}

/** The jump of several branches; certain if all of them jump. */
function together(jumps: readonly (Jump | undefined)[]): Jump | undefined {
  const first = jumps.find((jump) => jump !== undefined);
  return (
    first && { ...first, isMaybe: jumps.some((jump) => !jump || jump.isMaybe || jump.word !== first.word) }
  );
}

function runLoop(it: Interpreter, { bindings, branches }: Block, frame: Frame): Jump | undefined {
  const [binding] = bindings;
  const [loop, otherwise] = branches;
  if (!binding || !loop) return undefined;
  const from = it.evaluate(binding.from, frame);
  const over = iterate(it.machine, from);
  if (!over || over.gaps & ~GAP.maybe) {
    return outOfLoop(
      it.machine.inMaybe(() => {
        for (const item of over?.items ?? []) {
          assign(it, binding.target, item, frame);
          it.run(loop.body, frame);
        }
        assign(it, binding.target, itemOfUnknown(from), frame);
        return it.run(loop.body, frame);
      }),
    );
  }
  const leave = over.gaps === 0 ? undefined : it.machine.enterMaybe();
  try {
    const jump = runItems(it, { ...binding, items: over.items, body: loop.body }, frame);
    if (jump) return leave ? { ...jump, isMaybe: true } : jump;
    return otherwise && it.run(otherwise.body, frame);
  } finally {
    leave?.();
  }
}

interface Loop {
  readonly target: Expression;
  readonly items: readonly Value[];
  readonly body: readonly Statement[];
}

function runItems(it: Interpreter, { target, items, body }: Loop, frame: Frame): Jump | undefined {
  let left: Jump | undefined;
  let leave: (() => void) | undefined;
  try {
    for (const item of items) {
      assign(it, target, item, frame);
      const jump = it.run(body, frame);
      if (!jump || jump.word === 'continue') continue;
      const isOut = jump.word !== 'break';
      if (!jump.isMaybe) return isOut ? jump : left;
      if (isOut) left = jump;
      leave ??= it.machine.enterMaybe();
    }
    return left;
  } finally {
    leave?.();
  }
}

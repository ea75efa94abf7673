import type { Argument, Call, Comprehension, Dictionary, Expression, Index } from '../python/syntax.ts';
import { callMethod, updateDict } from './container-methods.ts';
import { lookUpName } from './frames.ts';
import { importByCall, isImporter } from './import-modules.ts';
import { createFrame, type Interpreter } from './machine.ts';
import { itemOf, iterate, joinText, operate, truth } from './operations.ts';
import {
  type ArgumentValue,
  type Frame,
  GAP,
  gapsOf,
  isKind,
  keyText,
  UNKNOWN,
  type Value,
} from './values.ts';

export function evaluate(it: Interpreter, expression: Expression, frame: Frame): Value {
  const { machine } = it;
  machine.step();
  const of = (inner: Expression) => it.evaluate(inner, frame);
  switch (expression.kind) {
    case 'text':
    case 'constant':
      return expression.value;
    case 'number':
      return Number.isNaN(expression.value) ? UNKNOWN : expression.value;
    case 'format':
      return joinText(expression.parts.map((part) => (typeof part === 'string' ? part : of(part))));
    case 'sequence':
      return sequence(it, expression.items, frame);
    case 'dictionary':
      return dictionary(it, expression, frame);
    case 'operation':
      if (expression.operator === 'if else') return conditional(it, expression.operands, frame);
      return operate(machine, expression.operator, expression.operands.map(of));
    case 'name':
      return lookUpName(frame, expression.id);
    case 'attribute':
      return it.attribute(of(expression.of), expression.id);
    case 'index':
      return index(it, expression, frame);
    case 'call':
      return call(it, expression, frame);
    case 'walrus': {
      const value = of(expression.value);
      it.assign(expression.target, value, frame);
      return value;
    }
    case 'lambda': {
      const { parameters, body } = expression;
      return { kind: 'function', name: 'lambda', parameters, body, frame, binding: 'plain' };
    }
    case 'comprehension':
      return comprehension(it, expression, frame);
    case 'other':
      return UNKNOWN;
  }
}

function sequence(it: Interpreter, expressions: readonly Expression[], frame: Frame): Value {
  const items: Value[] = [];
  let gaps = 0;
  for (const item of expressions) {
    const [starred] = item.kind === 'other' ? item.parts : [];
    if (!starred) {
      items.push(it.evaluate(item, frame));
      continue;
    }
    const spread = iterate(it.machine, it.evaluate(starred, frame));
    for (const one of spread?.items ?? []) items.push(one);
    gaps |= spread ? spread.gaps : GAP.unread;
  }
  return it.machine.list(items, gaps);
}

function dictionary(it: Interpreter, { entries }: Dictionary, frame: Frame): Value {
  const dict = it.machine.dict();
  for (const { key, value } of entries) {
    const given = it.evaluate(value, frame);
    const text = key && keyText(it.evaluate(key, frame));
    if (text !== undefined) dict.entries.set(text, given);
    else if (key) dict.gaps |= GAP.unread;
    else updateDict(it.machine, dict, given);
  }
  return dict;
}

function conditional(it: Interpreter, operands: readonly Expression[], frame: Frame): Value {
  const [yes, test, no] = operands;
  if (!yes || !test || !no) return UNKNOWN;
  const known = truth(it.evaluate(test, frame));
  if (known !== undefined) return it.evaluate(known ? yes : no, frame);
  return it.machine.inMaybe(() => {
    const left = it.evaluate(yes, frame);
    const right = it.evaluate(no, frame);
    if (left === right || isKind(left, 'class')) return left;
    return isKind(right, 'class') ? right : UNKNOWN;
  });
}

function index(it: Interpreter, expression: Index, frame: Frame): Value {
  const object = it.evaluate(expression.of, frame);
  const keys = expression.keys.map((key) => it.evaluate(key, frame));
  const [key] = keys;
  return expression.isSlice || key === undefined || keys.length !== 1 ? UNKNOWN : itemOf(object, key);
}

function call(it: Interpreter, expression: Call, frame: Frame): Value {
  const { callee, args: written } = expression;
  const args = () => written.flatMap((one) => argument(it, one, frame));
  if (callee.kind !== 'attribute') {
    const called = it.evaluate(callee, frame);
    if (isKind(called, 'external') && called.path === 'builtins.super') return parentOf(frame);
    return isImporter(called) ? importByCall(it, written, frame) : it.apply(called, args());
  }
  const object = it.evaluate(callee.of, frame);
  if (typeof object === 'string' || isKind(object, 'list') || isKind(object, 'dict'))
    return callMethod(it.machine, object, callee.id, args());
  const called = it.attribute(object, callee.id);
  return isImporter(called) ? importByCall(it, written, frame) : it.apply(called, args());
}

function argument(it: Interpreter, { name, stars, value }: Argument, frame: Frame): ArgumentValue[] {
  const known = it.evaluate(value, frame);
  if (stars === 1 && isKind(known, 'list') && known.gaps === 0)
    return known.items.map((item) => ({ stars: 0, value: item }));
  if (stars === 2 && isKind(known, 'dict') && known.gaps === 0)
    return [...known.entries].map(([key, one]) => ({ name: key, stars: 0, value: one }));
  return [name === undefined ? { stars, value: known } : { name, stars, value: known }];
}

/** `super()` in a method. */
function parentOf(frame: Frame): Value {
  let here: Frame | undefined = frame;
  while (here && here.kind !== 'function') here = here.parent;
  const [self] = here?.names.values() ?? [];
  for (; here; here = here.parent) {
    if (here.owner && self !== undefined) return { kind: 'parent', of: here.owner, self };
  }
  return UNKNOWN;
}

function comprehension(it: Interpreter, expression: Comprehension, frame: Frame): Value {
  const { key, element, loops, conditions } = expression;
  const inner = createFrame(it.machine, { kind: 'function', file: frame.file, parent: frame });
  const dict = it.machine.dict();
  const list = it.machine.list([]);
  const collect = (depth: number): void => {
    const loop = loops[depth];
    if (loop) {
      const from = it.evaluate(loop.from, inner);
      const over = iterate(it.machine, from);
      const gaps = over ? over.gaps : gapsOf(from);
      dict.gaps |= gaps;
      list.gaps |= gaps;
      for (const item of over?.items ?? []) {
        it.machine.step();
        it.assign(loop.target, item, inner);
        collect(depth + 1);
      }
      return;
    }
    const passes = new Set(conditions.map((condition) => truth(it.evaluate(condition, inner))));
    if (passes.has(false)) return;
    if (passes.has(undefined)) {
      dict.gaps |= GAP.maybe;
      list.gaps |= GAP.maybe;
    }
    const value = it.evaluate(element, inner);
    if (!key) {
      list.items.push(value);
      return;
    }
    const text = keyText(it.evaluate(key, inner));
    if (text === undefined) dict.gaps |= GAP.unread;
    else dict.entries.set(text, value);
  };
  collect(0);
  return key ? dict : list;
}

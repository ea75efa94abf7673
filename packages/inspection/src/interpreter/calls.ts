import { callExternal, markArguments } from './built-ins.ts';
import { memberOf } from './class-members.ts';
import { createFrame, type Interpreter } from './machine.ts';
import {
  type ArgumentValue,
  type ClassValue,
  type Frame,
  type FunctionValue,
  GAP,
  type Instance,
  isKind,
  join,
  UNKNOWN,
  type Value,
} from './values.ts';

export function apply(it: Interpreter, callee: Value, args: readonly ArgumentValue[]): Value {
  if (isKind(callee, 'function')) return it.callFunction(callee, args);
  if (isKind(callee, 'class')) return instantiate(it, callee, args);
  if (isKind(callee, 'external')) return callExternal(it, callee, args);
  markArguments('?', args);
  return UNKNOWN;
}

export function callFunction(it: Interpreter, called: FunctionValue, args: readonly ArgumentValue[]): Value {
  const { frame: outer, body } = called;
  const frame = createFrame(it.machine, { kind: 'function', file: outer.file, parent: outer });
  const self: ArgumentValue[] = called.self === undefined ? [] : [{ stars: 0, value: called.self }];
  bindParameters(it, called, [...self, ...args], frame);
  const done = it.machine.once(body, (): Value => {
    if ('kind' in body) return it.evaluate(body, frame);
    it.run(body, frame);
    return returned(it, frame);
  });
  if (done !== undefined) return done;
  markArguments('?', args);
  return UNKNOWN;
}

function returned({ machine }: Interpreter, { returns }: Frame): Value {
  const [first, ...others] = returns;
  // Generators have no return value either, but give something else.
  if (first === undefined) return UNKNOWN;
  return others.reduce<Value>((before, value) => join(before, value, machine.region), first);
}

function bindParameters(
  it: Interpreter,
  { parameters, frame: outer }: FunctionValue,
  args: readonly ArgumentValue[],
  frame: Frame,
): void {
  const { machine } = it;
  const placed = args.filter(({ name }) => name === undefined);
  const isOpen = args.some(({ stars }) => stars > 0);
  const taken = new Set<string>();
  for (const { name, stars, default: otherwise } of parameters) {
    if (stars === 1) {
      const rest = placed.splice(0);
      const values = rest.map(({ value }) => value);
      frame.names.set(name, machine.list(values, rest.some((one) => one.stars > 0) ? GAP.unread : 0));
      continue;
    }
    if (stars === 2) {
      const rest = args.flatMap((one): [string, Value][] =>
        one.name !== undefined && !taken.has(one.name) ? [[one.name, one.value]] : [],
      );
      frame.names.set(name, machine.dict(rest, isOpen ? GAP.unread : 0));
      continue;
    }
    taken.add(name);
    const named = args.find((one) => one.name === name);
    const next = named ?? placed.shift();
    const given = next?.stars === 0 ? next.value : UNKNOWN;
    const isDefault = !next && otherwise && !isOpen;
    frame.names.set(name, isDefault ? it.evaluate(otherwise, outer) : given);
  }
}

function instantiate(it: Interpreter, of: ClassValue, args: readonly ArgumentValue[]): Value {
  if (isTextClass(of)) {
    const [first] = args;
    return typeof first?.value === 'string' ? first.value : UNKNOWN;
  }
  const instance: Instance = { kind: 'instance', of, attributes: new Map() };
  const init = memberOf(it, of, '__init__');
  if (isKind(init, 'function')) it.callFunction({ ...init, self: instance }, args);
  else markArguments('?', args);
  return instance;
}

/** Whether instances are strings: types that match anything are made this way. */
function isTextClass({ bases }: ClassValue): boolean {
  return bases.some(
    (base) =>
      (isKind(base, 'external') && base.path === 'builtins.str') ||
      (isKind(base, 'class') && isTextClass(base)),
  );
}

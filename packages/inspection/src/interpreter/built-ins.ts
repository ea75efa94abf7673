import { updateDict } from './container-methods.ts';
import type { Interpreter } from './machine.ts';
import { iterate } from './operations.ts';
import { type ArgumentValue, type External, GAP, gapsOfAll, isKind, UNKNOWN, type Value } from './values.ts';

const MAX_RANGE = 10_000;
const HARMLESS =
  /^builtins\.(?:print|len|sorted|list|dict|tuple|set|frozenset|str|repr|iter|next|enumerate|zip|isinstance|issubclass|type|id|hasattr|getattr|any|all|min|max|sum|map|filter|bool|reversed|callable)$|^(?:logging|json|pprint|typing|inspect|copy)\.|\.(?:print|log|debug|info|warn|warning|error|exception|dumps?)$/;

export function callExternal(it: Interpreter, called: External, args: readonly ArgumentValue[]): Value {
  const known = BUILT_INS.get(called.path)?.(it, args);
  if (known !== undefined) return known;
  markArguments(called.path, args);
  return { kind: 'external', path: `${called.path}()`, of: called, args };
}

/** An unknown function may change the dictionary that it gets; a class keeps it. */
export function markArguments(path: string, args: readonly ArgumentValue[]): void {
  if (HARMLESS.test(path) || /(?:^|\.)[A-Z]\w*$/.test(path)) return;
  for (const { value } of args) if (isKind(value, 'dict')) value.gaps |= GAP.unread;
}

type BuiltIn = (it: Interpreter, args: readonly ArgumentValue[]) => Value | undefined;

function valueAt(args: readonly ArgumentValue[], place: number): Value | undefined {
  const argument = args[place];
  return argument?.stars === 0 && argument.name === undefined ? argument.value : undefined;
}

const makeDict: BuiltIn = ({ machine }, args) => {
  const dict = machine.dict();
  for (const { name, value, stars } of args) {
    if (name !== undefined) dict.entries.set(name, value);
    else updateDict(machine, dict, stars === 1 ? UNKNOWN : value);
  }
  return dict;
};

const makeList: BuiltIn = ({ machine }, args) => {
  if (args.length === 0) return machine.list([]);
  const over = iterate(machine, valueAt(args, 0) ?? UNKNOWN);
  return over ? machine.list(over.items, over.gaps) : UNKNOWN;
};

const sort: BuiltIn = ({ machine }, args) => {
  const over = iterate(machine, valueAt(args, 0) ?? UNKNOWN);
  if (!over || args.length > 1 || !over.items.every((item) => typeof item === 'string')) return UNKNOWN;
  return machine.list(over.items.toSorted(), over.gaps);
};

const range: BuiltIn = ({ machine }, args) => {
  const numbers = args.map(({ value }) => value).filter((value) => typeof value === 'number');
  const [start = 0, end = 0, step = 1] = numbers.length === 1 ? [0, ...numbers] : numbers;
  const count = Math.ceil((end - start) / step);
  if (numbers.length === 0 || numbers.length !== args.length || step === 0) return UNKNOWN;
  if (count > MAX_RANGE) return UNKNOWN;
  return machine.list(Array.from({ length: Math.max(0, count) }, (_, index) => start + index * step));
};

const zip: BuiltIn = ({ machine }, args) => {
  const all = args.map(({ value, stars, name }) =>
    stars === 0 && name === undefined ? iterate(machine, value) : undefined,
  );
  const known = all.filter((one) => one !== undefined);
  if (known.length === 0 || known.length !== all.length) return UNKNOWN;
  const length = Math.min(...known.map(({ items }) => items.length));
  const rows = Array.from({ length }, (_, index) =>
    machine.list(known.map(({ items }) => items[index] ?? UNKNOWN)),
  );
  return machine.list(rows, gapsOfAll(known));
};

const enumerate: BuiltIn = ({ machine }, args) => {
  const over = iterate(machine, valueAt(args, 0) ?? UNKNOWN);
  const start = args.find(({ name }) => name === 'start')?.value ?? valueAt(args, 1) ?? 0;
  if (!over || typeof start !== 'number') return UNKNOWN;
  const rows = over.items.map((item, index) => machine.list([start + index, item]));
  return machine.list(rows, over.gaps);
};

const getAttribute: BuiltIn = (it, args) => {
  const [object = UNKNOWN, id, otherwise] = args.map(({ value }) => value);
  if (typeof id !== 'string') return UNKNOWN;
  const found = it.attribute(object, id);
  return found === UNKNOWN && otherwise !== undefined && isKind(object, 'module') ? otherwise : found;
};

const bound =
  (binding: 'class' | 'static'): BuiltIn =>
  (_, args) => {
    const method = valueAt(args, 0);
    return isKind(method, 'function') ? { ...method, binding } : UNKNOWN;
  };

/** A deep copy. Unknown values are not copied. */
function copyDeep({ machine }: Interpreter, value: Value): Value {
  const copy = (one: Value): Value => {
    const made = machine.deeper(() => copied(one));
    return made === undefined ? UNKNOWN : made;
  };
  const copied = (one: Value): Value => {
    if (isKind(one, 'list')) return machine.list(one.items.map(copy), one.gaps);
    if (!isKind(one, 'dict')) return one;
    return machine.dict(
      [...one.entries].map(([key, inner]) => [key, copy(inner)]),
      one.gaps,
    );
  };
  return copy(value);
}

const copyShallow: BuiltIn = ({ machine }, args) => {
  const value = valueAt(args, 0) ?? UNKNOWN;
  if (isKind(value, 'dict')) return machine.dict(value.entries, value.gaps);
  return isKind(value, 'list') ? machine.list(value.items, value.gaps) : value;
};

const BUILT_INS: ReadonlyMap<string, BuiltIn> = new Map(
  Object.entries({
    'builtins.dict': makeDict,
    'collections.OrderedDict': makeDict,
    'builtins.list': makeList,
    'builtins.tuple': makeList,
    'builtins.set': makeList,
    'builtins.sorted': sort,
    'builtins.range': range,
    'builtins.zip': zip,
    'builtins.enumerate': enumerate,
    'builtins.getattr': getAttribute,
    'builtins.classmethod': bound('class'),
    'builtins.staticmethod': bound('static'),
    'builtins.str': (_: Interpreter, args: readonly ArgumentValue[]) => {
      const value = valueAt(args, 0);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : UNKNOWN;
    },
    'builtins.len': ({ machine }: Interpreter, args: readonly ArgumentValue[]) => {
      const over = iterate(machine, valueAt(args, 0) ?? UNKNOWN);
      return over?.gaps === 0 ? over.items.length : UNKNOWN;
    },
    'copy.copy': copyShallow,
    'copy.deepcopy': (it: Interpreter, args: readonly ArgumentValue[]) =>
      copyDeep(it, valueAt(args, 0) ?? UNKNOWN),
  }),
);

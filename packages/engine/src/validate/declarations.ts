import type { NodeCatalogue } from '../catalogue.ts';
import { type FlatInput, fixedInputs, flatInputs } from '../declare/flat-inputs.ts';
import type { ChoiceFiles, Input } from '../declare/inputs.ts';
import { choicesOf, toInputConfig } from '../declare/object-info.ts';
import { toJson } from '../python/exact-json.ts';
import { pythonStr } from '../python/python-repr.ts';
import type { DraftNode } from './prompt-draft.ts';

type Combo = Extract<Input, { readonly kind: 'combo' }>;

export type Declarations = ReturnType<typeof createDeclarations>;

const MAX_CONFIG_CHARS = 10_000;

/** What is declared of inputs. Each is looked up once for a whole graph, since choices may be files that are listed. */
export function createDeclarations(catalogue: NodeCatalogue, files: ChoiceFiles) {
  const config = once(async (input: Input) => await toInputConfig(input, files));
  return {
    config,
    /** Its type as Python prints it. */
    typeText: once(async (input: Input) => pythonStr((await config(input))[0])),
    /** As an answer repeats it; null where it is so large that a thousand of them would make no answer. */
    shownConfig: once(async (input: Input) => {
      const whole = await config(input);
      return toJson(whole).length > MAX_CONFIG_CHARS ? null : whole;
    }),
    choices: once(async (input: Combo) => {
      const list = await choicesOf(input, files);
      const all = new Set<unknown>(list);
      const isOffered = (value: unknown) => all.has(value);
      const has = (value: unknown) =>
        input.options.multiselect && Array.isArray(value) ? value.every(isOffered) : isOffered(value);
      return { list, has };
    }),
    of: once((node: DraftNode): ReadonlyMap<string, FlatInput> => {
      const type = catalogue.get(node.class_type);
      const known = type && fixedInputs(type);
      if (known) return known;
      const given = Object.entries(node.inputs).map(([name, value]) => [name, unwrap(value)]);
      const flat = type ? flatInputs(type, Object.fromEntries(given)) : [];
      return new Map(flat.map((one) => [one.name, one]));
    }),
  };
}

/** Lists as values are wrapped, since a bare list is a link. */
export function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__value__')) return value;
  return '__value__' in value ? value.__value__ : value;
}

function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const found = made.get(key) ?? { value: make(key) };
    made.set(key, found);
    return found.value;
  };
}

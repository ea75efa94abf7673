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

/** The declarations of inputs. Each is computed once for a graph, because choices may be files that must be listed. */
export function createDeclarations(catalogue: NodeCatalogue, files: ChoiceFiles) {
  const config = once(async (input: Input) => await toInputConfig(input, files));
  return {
    config,
    /** The type as Python prints it. */
    typeText: once(async (input: Input) => pythonStr((await config(input))[0])),
    /** As an answer repeats it; null when it is too large to be repeated a thousand times. */
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

/** A list that is a value is wrapped, because a bare list is a link. */
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

import type { Choice, Input, Inputs } from './inputs.ts';
import type { NodeDescription } from './node-description.ts';

/** How two types of one name contradict each other, as the end of a sentence; `undefined` if they do not. */
export function findContradiction(first: NodeDescription, other: NodeDescription): string | undefined {
  const outputs = ({ outputs: all, outputNode }: NodeDescription) =>
    JSON.stringify([all.map(({ socket, isList }) => [socket, isList]), outputNode]);
  if (outputs(first) !== outputs(other)) return 'the outputs differ';
  return contradictionOf(first.inputs, other.inputs, '');
}

function contradictionOf(first: Inputs, other: Inputs, prefix: string): string | undefined {
  const names = new Set([...Object.keys(first), ...Object.keys(other)]);
  for (const key of names) {
    const [one, two] = [ownInput(first, key), ownInput(other, key)];
    const name = prefix + key;
    if (!one || !two) return `only one has the input ${name}`;
    if (one.optional !== two.optional) return `the input ${name} is required in one only`;
    if (traitsOf(one) !== traitsOf(two)) return `the input ${name} has another type`;
    for (const [choice, inputs] of Object.entries(one.kind === 'dynamicCombo' ? one.choices : {})) {
      const others = two.kind === 'dynamicCombo' ? two.choices[choice] : undefined;
      const found = contradictionOf(inputs, others ?? {}, `${name}.`);
      if (found) return found;
    }
  }
  return undefined;
}

function ownInput(inputs: Inputs, name: string): Input | undefined {
  return Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}

/** The traits that decide what a graph means. */
function traitsOf(input: Input): string {
  if (input.kind === 'link') return `socket ${input.socket}`;
  if (input.kind === 'matchType') return `match ${input.template} ${input.allowed}`;
  if (input.kind === 'autogrow')
    return `several ${traitsOf(input.item)} ${input.names.join(' ')} ${input.min}`;
  if (input.kind === 'dynamicCombo') return `choice ${Object.keys(input.choices).toSorted().join(' ')}`;
  return input.kind;
}

/** The first type, with the choices of the other after its own. The types must not contradict each other. */
export function uniteTypes(first: NodeDescription, other: NodeDescription): NodeDescription {
  const inputs = uniteInputs(first.inputs, other.inputs);
  return inputs === first.inputs ? first : { ...first, inputs };
}

function uniteInputs(first: Inputs, others: Inputs): Inputs {
  return mapChanged(first, (input, name) => {
    const other = others[name];
    return other ? uniteInput(input, other) : input;
  });
}

/** The same object if no value changes. */
function mapChanged<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => T,
): Readonly<Record<string, T>> {
  const changed = Object.entries(values).map(([name, value]) => [name, change(value, name)] as const);
  return changed.some(([name, value]) => value !== values[name]) ? Object.fromEntries(changed) : values;
}

function uniteInput(first: Input, other: Input): Input {
  if (first.kind === 'combo' && other.kind === 'combo') {
    if ('folder' in first.choices || 'folder' in other.choices) return first;
    const choices = uniteChoices(first.choices, other.choices);
    return choices === first.choices ? first : { ...first, choices };
  }
  if (first.kind !== 'dynamicCombo' || other.kind !== 'dynamicCombo') return first;
  const choices = mapChanged(first.choices, (inputs, choice) =>
    uniteInputs(inputs, other.choices[choice] ?? {}),
  );
  return choices === first.choices ? first : { ...first, choices };
}

function uniteChoices(first: readonly Choice[], others: readonly Choice[]): readonly Choice[] {
  const known = new Set(first);
  const more = others.filter((choice) => !known.has(choice));
  return more.length === 0 ? first : [...first, ...more];
}

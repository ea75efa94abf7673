import type { Choice, Input, Inputs } from './inputs.ts';
import type { NodeDescription } from './node-description.ts';

/** How two types of one name contradict each other, as a sentence without its end; `undefined` when they do not. */
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

/** What must be the same for a graph to mean the same. */
function traitsOf(input: Input): string {
  if (input.kind === 'link') return `socket ${input.socket}`;
  if (input.kind === 'matchType') return `match ${input.template} ${input.allowed}`;
  if (input.kind === 'autogrow')
    return `several ${traitsOf(input.item)} ${input.names.join(' ')} ${input.min}`;
  if (input.kind === 'dynamicCombo') return `choice ${Object.keys(input.choices).toSorted().join(' ')}`;
  return input.kind;
}

/** The first one, with the choices of the other after its own. They must not contradict each other. */
export function uniteTypes(first: NodeDescription, other: NodeDescription): NodeDescription {
  const inputs = uniteInputs(first.inputs, other.inputs);
  return inputs === first.inputs ? first : { ...first, inputs };
}

function uniteInputs(first: Inputs, others: Inputs): Inputs {
  let hasNew = false;
  const united = Object.entries(first).map(([name, input]): [string, Input] => {
    const other = others[name];
    const both = other ? uniteInput(input, other) : input;
    hasNew ||= both !== input;
    return [name, both];
  });
  return hasNew ? Object.fromEntries(united) : first;
}

function uniteInput(first: Input, other: Input): Input {
  if (first.kind === 'combo' && other.kind === 'combo') {
    if ('folder' in first.choices || 'folder' in other.choices) return first;
    const choices = uniteChoices(first.choices, other.choices);
    return choices === first.choices ? first : { ...first, choices };
  }
  if (first.kind !== 'dynamicCombo' || other.kind !== 'dynamicCombo') return first;
  let hasNew = false;
  const united = Object.entries(first.choices).map(([choice, inputs]): [string, Inputs] => {
    const both = uniteInputs(inputs, other.choices[choice] ?? {});
    hasNew ||= both !== inputs;
    return [choice, both];
  });
  return hasNew ? { ...first, choices: Object.fromEntries(united) } : first;
}

function uniteChoices(first: readonly Choice[], others: readonly Choice[]): readonly Choice[] {
  const known = new Set(first);
  const more = others.filter((choice) => !known.has(choice));
  return more.length === 0 ? first : [...first, ...more];
}

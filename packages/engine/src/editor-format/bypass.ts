import type { Budget } from './budget.ts';
import { ANY_TYPE, type EditorInput, type EditorNode } from './editor-graph.ts';

/**
 * The input that a bypassed node passes on as one of its outputs: the one at the same place when it fits, else the first of
 * the very type that is wanted, else the first that fits.
 */
export function bypassInput(
  { inputs, outputTypes }: EditorNode,
  { slot, type }: { readonly slot: number; readonly type: string },
  budget: Budget,
): EditorInput | undefined {
  if (type === ANY_TYPE) return inputs[slot] ?? inputs[0];
  const given = outputTypes[slot] ?? ANY_TYPE;
  const fits = (input: EditorInput): boolean => {
    budget.spend(2 * input.type.length + given.length + type.length);
    return typesFit(input.type, given) && typesFit(input.type, type);
  };
  const opposite = inputs[slot];
  if (opposite && fits(opposite)) return opposite;
  return inputs.find((input) => input.type === type) ?? inputs.find(fits);
}

/** Types are names, or lists of them; upper and lower case are one. */
function typesFit(one: string, other: string): boolean {
  if (one === ANY_TYPE || other === ANY_TYPE || one === other) return true;
  const names = new Set(one.toLowerCase().split(','));
  return other
    .toLowerCase()
    .split(',')
    .some((name) => names.has(name));
}

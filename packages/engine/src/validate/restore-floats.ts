import { isObject } from '@atelier/contracts/is-object';
import type { InputKind } from '../declare/inputs.ts';
import type { Declarations } from './declarations.ts';
import type { Draft, DraftNode } from './prompt-draft.ts';

/** Inputs whose declared type does not say whether a number is an integer. */
const OPEN: ReadonlySet<InputKind | undefined> = new Set(['string', 'link', 'matchType', undefined] as const);

/** Restores floats such as 5.0 where they make a difference to Python. Parses the graph again only if it may have one. */
export function restoreFloats(draft: Draft, declarations: Declarations, exact: () => unknown): void {
  let graph: unknown;
  for (const [id, node] of draft) {
    for (const name of openNumbers(node, declarations)) {
      graph ??= exact();
      const inputs = inputsOf(graph, id);
      if (inputs && Object.hasOwn(inputs, name)) node.inputs[name] = inputs[name];
    }
  }
}

function openNumbers(node: DraftNode, declarations: Declarations): readonly string[] {
  return Object.keys(node.inputs).filter(
    (name) =>
      Number.isSafeInteger(node.inputs[name]) && OPEN.has(declarations.of(node).get(name)?.input.kind),
  );
}

function inputsOf(graph: unknown, id: string): Readonly<Record<string, unknown>> | undefined {
  const node = isObject(graph) ? graph[id] : undefined;
  const inputs = isObject(node) ? node['inputs'] : undefined;
  return isObject(inputs) ? inputs : undefined;
}

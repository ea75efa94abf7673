import { isObject } from '@atelier/contracts/is-object';
import { type NodeCatalogue, orderedIds, type SubmittedPrompt } from '@atelier/engine';

import type { EngineKind } from '../workers/matching/job-needs.ts';
import { refused } from './refused-prompt.ts';
import { MAX_ID_LENGTH } from './submission-body.ts';

export interface Catalogues extends Readonly<Record<EngineKind, NodeCatalogue>> {
  /** Both kinds together. */
  readonly union: NodeCatalogue;
}

/** Chooses the one place where a graph is validated and run. Throws `RefusedPrompt` when none has all of its types. */
export function choosePlace(
  { prompt, order }: SubmittedPrompt,
  labels: readonly string[],
  catalogues: Catalogues,
): { readonly kind: EngineKind; readonly catalogue: NodeCatalogue } {
  const { 'built-in': builtIn, comfyui, union } = catalogues;
  if (labels.includes('comfyui')) return { kind: 'comfyui', catalogue: comfyui };
  const types = typesIn(prompt, order);
  const only = (catalogue: NodeCatalogue) => types.find(([, type]) => !catalogue.get(type));
  const notBuiltIn = only(builtIn);
  if (!notBuiltIn) return { kind: 'built-in', catalogue: builtIn };
  // Validation reports a type that no worker has.
  if (only(union)) return { kind: 'built-in', catalogue: union };
  const missing = only(comfyui);
  if (!missing) return { kind: 'comfyui', catalogue: comfyui };
  const [node, type] = missing;
  const [, foreign] = notBuiltIn;
  const id = node.slice(0, MAX_ID_LENGTH);
  throw refused({
    type: 'missing_node_type',
    message: `Node '${type}' not found. The custom node may not be installed.`,
    details: `Node ID '#${id}'. ${type} is a built-in node type and ${foreign} one of ComfyUI workers: the two never run in one place.`,
    extra_info: { node_id: id, class_type: type, node_title: type },
  });
}

/** The ids and types of the nodes. Invalid nodes are reported by the validation. */
function typesIn(
  prompt: unknown,
  order: readonly string[],
): readonly (readonly [id: string, type: string])[] {
  if (!isObject(prompt)) return [];
  return orderedIds(prompt, order).flatMap((id) => {
    const node = prompt[id];
    const type = isObject(node) ? node['class_type'] : undefined;
    return typeof type === 'string' ? [[id, type] as const] : [];
  });
}

import type { NodeCatalogue } from '@atelier/engine/editor-format';

import { isObject } from '../document/json.ts';
import { isEditorJson } from '../document/workflow-nodes.ts';
import type { Graph } from './graph.ts';
import { readApiGraph } from './read-api-graph.ts';
import { readEditorGraph } from './read-editor-graph.ts';

/** Reads the graph to draw from a workflow in either format; `undefined` if there is no such subgraph node. */
export function readGraph(
  document: unknown,
  { scope, catalogue }: { readonly scope: readonly string[]; readonly catalogue: NodeCatalogue },
): Graph | undefined {
  if (!isObject(document)) return undefined;
  if (isEditorJson(document)) return readEditorGraph(document, scope);
  return scope.length === 0 ? readApiGraph(document, catalogue) : undefined;
}

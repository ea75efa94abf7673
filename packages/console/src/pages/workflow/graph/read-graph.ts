import type { NodeTypes } from '@atelier/sdk';

import type { Graph } from './graph.ts';
import { isObject, type Json } from './json.ts';
import { readApiGraph } from './read-api-graph.ts';
import { readEditorGraph } from './read-editor-graph.ts';

export function isEditorFile(document: Json): boolean {
  return Array.isArray(document['nodes']) && Array.isArray(document['links']);
}

/** Reads what is to be drawn of a workflow in either format; `undefined` when there is no such subgraph node. */
export function readGraph(
  document: unknown,
  { scope = [], nodeTypes = {} }: { readonly scope?: readonly string[]; readonly nodeTypes?: NodeTypes } = {},
): Graph | undefined {
  if (!isObject(document)) return undefined;
  if (isEditorFile(document)) return readEditorGraph(document, scope);
  return scope.length === 0 ? readApiGraph(document, nodeTypes) : undefined;
}

import type { NodeCatalogue, NodeDescription } from '@atelier/engine/editor-format';
import { isLink } from '@atelier/engine/editor-format';

import { savedWidgets } from './editor-widgets.ts';
import { isObject, type Json, objectsIn, textOf } from './json.ts';
import { PRIMITIVE, primitiveWidgets } from './primitive-widget.ts';
import { definitionsOf, promotedWidgets } from './subgraph-widgets.ts';
import { editorWidgets, type Widget } from './widgets.ts';

export type { Widget } from './widgets.ts';

export type NodeMode = 'run' | 'mute' | 'bypass';

export interface WorkflowNode {
  /** The id in jobs: `7`, or `5:7` for node 7 inside the subgraph node 5. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly mode: NodeMode;
  readonly widgets: readonly Widget[];
  /** Absent if the server does not have the type, and for subgraphs, notes and the like. */
  readonly description: NodeDescription | undefined;
  /** `node` runs; `missing` has a type that the server lacks; `subgraph` contains others; `editor` is the editor's own: notes, reroutes, primitives. */
  readonly kind: 'node' | 'missing' | 'subgraph' | 'editor';
  /** The text of a note. */
  readonly text?: string | undefined;
}

const MODES: Readonly<Record<number, NodeMode>> = { 2: 'mute', 4: 'bypass' };
const EDITOR_TYPES = new Set(['Note', 'MarkdownNote', 'Reroute', PRIMITIVE]);
const MAX_DEPTH = 16;
const MAX_NODES = 10_000;

export function isEditorJson(json: Json): boolean {
  return Array.isArray(json['nodes']);
}

/** All nodes of a workflow in either format; those inside a subgraph follow the node that shows it. */
export function readNodes(json: Json, catalogue: NodeCatalogue): readonly WorkflowNode[] {
  return isEditorJson(json) ? editorNodes(json, catalogue) : apiNodes(json, catalogue);
}

function apiNodes(json: Json, catalogue: NodeCatalogue): WorkflowNode[] {
  return Object.entries(json).flatMap(([id, node]): WorkflowNode[] => {
    const type = isObject(node) ? textOf(node['class_type']) : undefined;
    if (!isObject(node) || type === undefined) return [];
    const description = catalogue.get(type);
    const meta = isObject(node['_meta']) ? node['_meta'] : {};
    return [
      {
        id,
        type,
        title: textOf(meta['title']) ?? description?.title ?? type,
        mode: meta['mode'] === 'mute' || meta['mode'] === 'bypass' ? meta['mode'] : 'run',
        widgets: apiWidgets(isObject(node['inputs']) ? node['inputs'] : {}, description),
        description,
        kind: description ? 'node' : 'missing',
      },
    ];
  });
}

/** The API format has values by name, so the same code reads both. */
function apiWidgets(inputs: Json, description: NodeDescription | undefined): Widget[] {
  if (!description) return [];
  const saved = savedWidgets({ widgets_values: inputs }, description);
  return saved
    .filter(({ isShownOnly }) => !isShownOnly)
    .map(({ name, input, value }) => ({
      name,
      label: input.options.display_name,
      input,
      // A bare array would be a link.
      value: isObject(value) && '__value__' in value ? value['__value__'] : value,
      isLinked: isLink(inputs[name]),
    }));
}

function editorNodes(json: Json, catalogue: NodeCatalogue): WorkflowNode[] {
  const definitions = definitionsOf(json);
  const found: WorkflowNode[] = [];

  function add(graph: Json, prefix: string, depth: number): void {
    for (const node of objectsIn(graph['nodes'])) {
      if (found.length >= MAX_NODES) return;
      const type = textOf(node['type']);
      if (type === undefined) continue;
      const id = prefix + String(node['id']);
      const definition = definitions.get(type);
      const description = catalogue.get(type);
      const isEditors = EDITOR_TYPES.has(type);
      found.push({
        id,
        type,
        title: textOf(node['title']) ?? textOf(definition?.['name']) ?? description?.title ?? type,
        mode: MODES[Number(node['mode'])] ?? 'run',
        widgets: definition
          ? promotedWidgets(node, definition, { definitions, catalogue })
          : type === PRIMITIVE
            ? primitiveWidgets(node, graph, catalogue)
            : editorWidgets(node, description),
        description,
        kind: definition ? 'subgraph' : isEditors ? 'editor' : description ? 'node' : 'missing',
        ...(isEditors && { text: noteText(node) }),
      });
      if (definition && depth < MAX_DEPTH) add(definition, `${id}:`, depth + 1);
    }
  }

  add(json, '', 0);
  return found;
}

function noteText({ widgets_values: values }: Json): string | undefined {
  return Array.isArray(values) ? textOf(values[0]) : undefined;
}

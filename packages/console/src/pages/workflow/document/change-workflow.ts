import type { NodeCatalogue } from '@atelier/engine/editor-format';

import { type SeedControl, withControl, withWidget } from './editor-widgets.ts';
import { isObject, type Json, listOf, objectsIn, textOf } from './json.ts';
import { PRIMITIVE, withPrimitive, withPrimitiveControl } from './primitive-widget.ts';
import { definitionsOf, promotedWidgets, withPromoted } from './subgraph-widgets.ts';
import { isEditorJson, type NodeMode } from './workflow-nodes.ts';

const MODES: Readonly<Record<NodeMode, number>> = { run: 0, mute: 2, bypass: 4 };

export interface NewValue {
  /** `7`, or `5:7` for node 7 inside the subgraph node 5. */
  readonly nodeId: string;
  readonly input: string;
  readonly value: unknown;
}

/** The same workflow with another value. Unchanged parts stay the same objects. */
export function withValue(json: Json, { nodeId, input, value }: NewValue, catalogue: NodeCatalogue): Json {
  if (!isEditorJson(json)) {
    return changeApiNode(json, nodeId, (node) => ({
      ...node,
      inputs: {
        ...(isObject(node['inputs']) ? node['inputs'] : {}),
        [input]: Array.isArray(value) ? { __value__: value } : value,
      },
    }));
  }
  const definitions = definitionsOf(json);
  return changeEditorNode(json, nodeId, (node) => {
    const type = String(node['type']);
    const definition = definitions.get(type);
    if (definition) {
      const shown = promotedWidgets(node, definition, { definitions, catalogue });
      const widget = shown.find(({ name }) => name === input);
      return widget ? withPromoted(node, widget.place, value) : node;
    }
    if (type === PRIMITIVE) return withPrimitive(node, value);
    const description = catalogue.get(type);
    return description ? withWidget(node, description, { name: input, value }) : node;
  });
}

/** The same workflow with another seed control. Only editor files have one. */
export function withSeedControl(
  json: Json,
  { nodeId, input, control }: Omit<NewValue, 'value'> & { readonly control: SeedControl },
  catalogue: NodeCatalogue,
): Json {
  if (!isEditorJson(json)) return json;
  return changeEditorNode(json, nodeId, (node) => {
    if (node['type'] === PRIMITIVE) return withPrimitiveControl(node, control);
    const description = catalogue.get(String(node['type']));
    return description ? withControl(node, description, { name: input, control }) : node;
  });
}

export function withMode(json: Json, nodeId: string, mode: NodeMode): Json {
  if (isEditorJson(json)) {
    return changeEditorNode(json, nodeId, (node) => ({ ...node, mode: MODES[mode] }));
  }
  // The API format has no modes. The mode is stored in the document, and those nodes are left out of the request.
  return changeApiNode(json, nodeId, ({ _meta, ...node }) => {
    const { mode: _, ...meta } = isObject(_meta) ? _meta : {};
    return { ...node, _meta: mode === 'run' ? meta : { ...meta, mode } };
  });
}

/** The text of a note. */
export function withNote(json: Json, nodeId: string, text: string): Json {
  return changeEditorNode(json, nodeId, (node) => ({
    ...node,
    widgets_values: [text, ...listOf(node['widgets_values']).slice(1)],
  }));
}

function changeApiNode(json: Json, id: string, change: (node: Json) => Json): Json {
  const node = json[id];
  return isObject(node) ? { ...json, [id]: change(node) } : json;
}

/** A node inside a subgraph is changed in the definition, so the change applies to all uses of the subgraph, as in the editor. */
function changeEditorNode(json: Json, path: string, change: (node: Json) => Json): Json {
  const ids = path.split(':');
  const last = ids.pop();
  const definitions = definitionsOf(json);
  let graph: Json | undefined = json;
  for (const id of ids) {
    const host: Json | undefined = objectsIn(graph?.['nodes']).find((node) => String(node['id']) === id);
    graph = host && definitions.get(String(host['type']));
  }
  if (!graph) return json;
  const changed = {
    ...graph,
    nodes: listOf(graph['nodes']).map((node) =>
      isObject(node) && String(node['id']) === last ? change(node) : node,
    ),
  };
  return graph === json ? changed : replaceDefinition(json, textOf(graph['id']), changed);
}

function replaceDefinition(json: Json, id: string | undefined, changed: Json): Json {
  const { definitions } = json;
  if (!isObject(definitions)) return json;
  const subgraphs = objectsIn(definitions['subgraphs']).map((one) =>
    one['id'] === id ? changed : replaceDefinition(one, id, changed),
  );
  return { ...json, definitions: { ...definitions, subgraphs } };
}

import type { Input, NodeCatalogue } from '@atelier/engine/editor-format';

import { controlWord, type SeedControl } from './editor-widgets.ts';
import { isObject, type Json, listOf, objectsIn, textOf } from './json.ts';
import type { Widget } from './widgets.ts';

/** The editor's own node that provides a value to other nodes. */
export const PRIMITIVE = 'PrimitiveNode';
const NAME = 'value';

const KINDS: Readonly<Record<string, Input>> = {
  INT: { kind: 'int', big: false, optional: false, options: {} },
  FLOAT: { kind: 'float', optional: false, options: {} },
  STRING: { kind: 'string', optional: false, options: {} },
  BOOLEAN: { kind: 'boolean', optional: false, options: {} },
};

/** Its value has the type of the first input that it is linked to. */
export function primitiveWidgets(node: Json, graph: Json, catalogue: NodeCatalogue): Widget[] {
  const [value, next] = listOf(node['widgets_values']);
  const [output] = objectsIn(node['outputs']);
  const target = targetOf(node, graph);
  const input =
    (target && catalogue.get(target.type)?.inputs[target.name]) ?? KINDS[textOf(output?.['type']) ?? ''];
  if (!input) return [];
  return [{ name: NAME, label: target?.name, input, value, isLinked: false, control: controlWord(next) }];
}

export function withPrimitive(node: Json, value: unknown): Json {
  return { ...node, widgets_values: [value, ...listOf(node['widgets_values']).slice(1)] };
}

export function withPrimitiveControl(node: Json, control: SeedControl): Json {
  const [value, , ...rest] = listOf(node['widgets_values']);
  return { ...node, widgets_values: [value, control, ...rest] };
}

function targetOf(node: Json, graph: Json): { readonly type: string; readonly name: string } | undefined {
  for (const link of listOf(graph['links'])) {
    const [id, from] = Array.isArray(link)
      ? (link as unknown[])
      : isObject(link)
        ? [link['id'], link['origin_id']]
        : [];
    if (from !== node['id']) continue;
    for (const other of objectsIn(graph['nodes'])) {
      const input = objectsIn(other['inputs']).find((each) => each['link'] === id);
      const name =
        input && (isObject(input['widget']) ? textOf(input['widget']['name']) : textOf(input['name']));
      const type = textOf(other['type']);
      if (name !== undefined && type !== undefined) return { type, name };
    }
  }
  return undefined;
}

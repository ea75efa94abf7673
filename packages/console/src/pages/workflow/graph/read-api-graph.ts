import type { NodeType, NodeTypes } from '@atelier/sdk';

import { ANY_TYPE, type Graph, type GraphLink, type GraphNode, type Socket } from './graph.ts';
import { isObject, type Json, listOf, textOf } from './json.ts';

/** The API format has no places, no notes and no groups; sockets are those that are linked and those that the type has. */
export function readApiGraph(document: Json, nodeTypes: NodeTypes): Graph {
  const entries = Object.entries(document).flatMap(([id, raw]) =>
    isObject(raw) && typeof raw['class_type'] === 'string' ? [{ id, raw, type: raw['class_type'] }] : [],
  );
  const known = new Set(entries.map(({ id }) => id));
  const found = entries.map((entry) => ({ ...entry, links: linksOf(entry.raw, known) }));
  const lastSlots = new Map<string, number>();
  for (const { from, slot } of found.flatMap(({ links }) => links)) {
    lastSlots.set(from, Math.max(lastSlots.get(from) ?? 0, slot));
  }
  const nodes = found.map(({ id, raw, type, links }): GraphNode => {
    const described = Object.hasOwn(nodeTypes, type) ? nodeTypes[type] : undefined;
    const meta = raw['_meta'];
    return {
      id,
      runId: id,
      kind: 'node',
      type,
      title: isObject(meta) ? textOf(meta['title']) : undefined,
      path: [id],
      x: 0,
      y: 0,
      width: 0,
      height: 0,
      isCollapsed: false,
      color: undefined,
      inputs: inputsOf(described, new Set(links.map(({ name }) => name))),
      outputs: outputsOf(described, lastSlots.get(id)),
    };
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const links = found.flatMap(({ id, links: own }) =>
    own.map(({ name, from, slot }): GraphLink => {
      const toSlot = byId.get(id)?.inputs.findIndex((input) => input.name === name) ?? 0;
      const type = byId.get(from)?.outputs[slot]?.type ?? ANY_TYPE;
      return { id: `${id}.${name}`, from, fromSlot: slot, to: id, toSlot, type, via: [] };
    }),
  );
  return { nodes, links, groups: [], isUnplaced: true };
}

function linksOf(raw: Json, known: ReadonlySet<string>) {
  return Object.entries(isObject(raw['inputs']) ? raw['inputs'] : {}).flatMap(([name, value]) => {
    const [from, slot] = listOf(value);
    const isLink = listOf(value).length === 2 && Number.isInteger(slot) && (slot as number) >= 0;
    return isLink && known.has(String(from)) ? [{ name, from: String(from), slot: slot as number }] : [];
  });
}

/** As the type orders them; links to inputs that it does not have come last. */
function inputsOf(type: NodeType | undefined, linked: ReadonlySet<string>): Socket[] {
  const described = Object.entries({ ...type?.input?.['required'], ...type?.input?.['optional'] });
  const sockets = described.flatMap(([name, [kind, options]]): Socket[] => {
    const isLinked = linked.has(name);
    const isWidget = Array.isArray(kind) || isWidgetType(kind, options);
    if (isWidget && !isLinked) return [];
    const label = (isObject(options) ? textOf(options['display_name']) : undefined) ?? name;
    return [{ name, label, type: typeOf(kind), widget: isWidget ? name : undefined, isLinked }];
  });
  const names = new Set(described.map(([name]) => name));
  const others = [...linked].filter((name) => !names.has(name));
  return [
    ...sockets,
    ...others.map((name) => ({ name, label: name, type: ANY_TYPE, widget: undefined, isLinked: true })),
  ];
}

const WIDGET_TYPES = new Set(['INT', 'FLOAT', 'STRING', 'BOOLEAN', 'COMBO', 'COLOR', 'COMFY_DYNAMICCOMBO_V3']);

function isWidgetType(kind: unknown, options: unknown): boolean {
  if (typeof kind !== 'string' || kind === 'COMFY_AUTOGROW_V3') return kind === 'COMFY_AUTOGROW_V3';
  return WIDGET_TYPES.has(kind) && !(isObject(options) && options['forceInput'] === true);
}

function outputsOf(type: NodeType | undefined, lastSlot = -1): Socket[] {
  const count = Math.max(type?.output?.length ?? 0, Math.min(lastSlot, 255) + 1);
  return Array.from({ length: count }, (_, slot) => {
    const kind = typeOf(type?.output?.[slot]);
    const name = textOf(type?.output_name?.[slot]) ?? kind;
    return { name, label: name === ANY_TYPE ? String(slot) : name, type: kind, widget: undefined, isLinked: slot <= lastSlot };
  });
}

function typeOf(kind: unknown): string {
  if (Array.isArray(kind)) return 'COMBO';
  return textOf(kind) ?? ANY_TYPE;
}

import {
  hasWidget,
  type Input,
  isLink,
  type NodeCatalogue,
  type NodeDescription,
} from '@atelier/engine/editor-format';
import { isObject, type Json, textOf } from '../document/json.ts';
import { ANY_TYPE, type Graph, type GraphLink, type GraphNode, type Socket } from './graph.ts';

/** The API format has no positions, notes or groups; the sockets are the linked ones and those of the type. */
export function readApiGraph(document: Json, catalogue: NodeCatalogue): Graph {
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
    const described = catalogue.get(type);
    const meta = raw['_meta'];
    return {
      id,
      runId: id,
      kind: 'node',
      type,
      title: isObject(meta) ? textOf(meta['title']) : undefined,
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
  return Object.entries(isObject(raw['inputs']) ? raw['inputs'] : {}).flatMap(([name, value]) =>
    isLink(value) && known.has(value[0]) && value[1] >= 0 ? [{ name, from: value[0], slot: value[1] }] : [],
  );
}

/** In the order of the type; links to unknown inputs come last. */
function inputsOf(type: NodeDescription | undefined, linked: ReadonlySet<string>): Socket[] {
  const described = Object.entries(type?.inputs ?? {});
  const sockets = described.flatMap(([name, input]): Socket[] => {
    const isLinked = linked.has(name);
    const isWidget = hasWidget(input) && input.options.forceInput !== true;
    if ((isWidget || input.kind === 'autogrow') && !isLinked) return [];
    const label = input.options.display_name ?? name;
    return [{ name, label, type: typeOf(input), widget: isWidget ? name : undefined, isLinked }];
  });
  const names = new Set(described.map(([name]) => name));
  const others = [...linked].filter((name) => !names.has(name));
  return [
    ...sockets,
    ...others.map((name) => ({ name, label: name, type: ANY_TYPE, widget: undefined, isLinked: true })),
  ];
}

function typeOf(input: Input): string {
  if (input.kind === 'link') return input.socket;
  if (input.kind === 'matchType' || input.kind === 'autogrow') return ANY_TYPE;
  return input.kind === 'dynamicCombo' ? 'COMBO' : input.kind.toUpperCase();
}

const MAX_OUTPUTS = 256;

function outputsOf(type: NodeDescription | undefined, lastSlot = -1): Socket[] {
  const outputs = type?.outputs ?? [];
  const count = Math.max(outputs.length, Math.min(lastSlot + 1, MAX_OUTPUTS));
  return Array.from({ length: count }, (_, slot) => {
    const { socket = ANY_TYPE, name = String(slot) } = outputs[slot] ?? {};
    return { name, label: name, type: socket, widget: undefined, isLinked: slot <= lastSlot };
  });
}

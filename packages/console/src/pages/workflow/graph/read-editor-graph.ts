import { isObject, type Json, listOf, objectsIn, textOf } from '../document/json.ts';
import { definitionsOf } from '../document/subgraph-widgets.ts';
import {
  ANY_TYPE,
  type Graph,
  type GraphGroup,
  type GraphLink,
  type GraphNode,
  type Point,
  type Socket,
} from './graph.ts';

/** The node ids that links inside a subgraph use for its inputs and outputs. */
export const SUBGRAPH_INPUTS = '-10';
export const SUBGRAPH_OUTPUTS = '-20';

const NOTES = new Set(['Note', 'MarkdownNote']);
/** Positions beyond this mean that the file is broken. */
const MAX_COORDINATE = 1_000_000;
const MAX_DEPTH = 64;

type Definitions = ReadonlyMap<string, Json>;

/** The whole file, or the inside of the subgraph node at the end of the path. */
export function readEditorGraph(document: Json, scope: readonly string[]): Graph | undefined {
  const definitions = definitionsOf(document);
  const raw = scopeOf(document, definitions, scope);
  if (!raw) return undefined;
  const prefix = scope.map((id) => `${id}:`).join('');
  const taken = new Set<string>();
  const nodes = objectsIn(raw['nodes']).flatMap((node) => {
    const read = readNode(node, { prefix, definitions });
    if (!read || taken.has(read.id)) return [];
    taken.add(read.id);
    return [read];
  });
  const isUnplaced = nodes.length > 1 && nodes.every(({ x, y }) => x === nodes[0]?.x && y === nodes[0].y);
  const ends = scope.length === 0 ? [] : endsOf(raw, nodes);
  const links = readLinks(raw, [...nodes, ...ends]);
  return {
    nodes: withLinked([...nodes, ...ends], links),
    links,
    groups: listOf(raw['groups']).flatMap(readGroup),
    isUnplaced,
  };
}

/** The links decide whether a socket is linked; the lists in sockets are often out of date. */
function withLinked(nodes: readonly GraphNode[], links: readonly GraphLink[]): GraphNode[] {
  const ends = new Set(
    links.flatMap(({ from, fromSlot, to, toSlot }) => [`${from}>${fromSlot}`, `${to}<${toSlot}`]),
  );
  return nodes.map((node) => ({
    ...node,
    inputs: withoutButtons(
      node.inputs.map((input, slot) => ({ ...input, isLinked: ends.has(`${node.id}<${slot}`) })),
    ),
    outputs: node.outputs.map((output, slot) => ({ ...output, isLinked: ends.has(`${node.id}>${slot}`) })),
  }));
}

function scopeOf(document: Json, definitions: Definitions, scope: readonly string[]): Json | undefined {
  let raw: Json | undefined = document;
  if (scope.length > MAX_DEPTH) return undefined;
  for (const id of scope) {
    const host = objectsIn(raw['nodes']).find((node) => idOf(node['id']) === id);
    raw = definitions.get(textOf(host?.['type']) ?? '');
    if (!raw) return undefined;
  }
  return raw;
}

interface NodePlace {
  readonly prefix: string;
  readonly definitions: Definitions;
}

function readNode(raw: Json, { prefix, definitions }: NodePlace): GraphNode | undefined {
  const id = idOf(raw['id']);
  const type = textOf(raw['type']);
  if (id === undefined || type === undefined) return undefined;
  const [x, y] = pairOf(raw['pos']);
  const [width, height] = pairOf(raw['size']);
  const flags = isObject(raw['flags']) ? raw['flags'] : {};
  const definition = definitions.get(type);
  return {
    id,
    runId: prefix + id,
    kind: definition ? 'subgraph' : kindOf(type),
    type,
    title: textOf(raw['title']) ?? textOf(definition?.['name']),
    x,
    y,
    width: Math.max(0, width),
    height: Math.max(0, height),
    isCollapsed: flags['collapsed'] === true,
    color: colorOf(raw['color']),
    inputs: listOf(raw['inputs']).map(readSocket),
    outputs: listOf(raw['outputs']).map(readSocket),
  };
}

function kindOf(type: string): GraphNode['kind'] {
  if (NOTES.has(type)) return 'note';
  if (type === 'Reroute') return 'reroute';
  return type === 'PrimitiveNode' ? 'primitive' : 'node';
}

function readSocket(raw: unknown): Socket {
  const { name, label, localized_name, type, widget } = isObject(raw) ? raw : {};
  const own = textOf(name) ?? '';
  return {
    name: own,
    label: textOf(label) ?? textOf(localized_name) ?? own,
    type: Array.isArray(type) ? 'COMBO' : (textOf(type) ?? ANY_TYPE),
    widget: isObject(widget) ? textOf(widget['name']) : undefined,
    isLinked: false,
  };
}

/** The editor also writes its upload buttons, as the last inputs. */
function withoutButtons(inputs: readonly Socket[]): readonly Socket[] {
  const last = inputs.findLastIndex(({ type, isLinked }) => isLinked || !type.endsWith('UPLOAD'));
  return inputs.slice(0, last + 1);
}

/** The inputs and outputs of a subgraph, at its edges. */
function endsOf(raw: Json, nodes: readonly GraphNode[]): GraphNode[] {
  const left = Math.min(0, ...nodes.map(({ x }) => x));
  const right = Math.max(0, ...nodes.map(({ x, width }) => x + width));
  const top = Math.min(0, ...nodes.map(({ y }) => y));
  const end = (kind: 'subgraphInputs' | 'subgraphOutputs', defaultX: number): GraphNode => {
    const isInput = kind === 'subgraphInputs';
    const place = raw[isInput ? 'inputNode' : 'outputNode'];
    const bounds = isObject(place) ? listOf(place['bounding']) : [];
    const sockets = listOf(raw[isInput ? 'inputs' : 'outputs']).map(readSocket);
    const id = isInput ? SUBGRAPH_INPUTS : SUBGRAPH_OUTPUTS;
    return {
      id,
      runId: id,
      kind,
      type: kind,
      title: undefined,
      x: bounds.length > 1 ? numberOf(bounds[0]) : defaultX,
      y: bounds.length > 1 ? numberOf(bounds[1]) : top,
      width: 140,
      height: 0,
      isCollapsed: false,
      color: undefined,
      inputs: isInput ? [] : sockets,
      outputs: isInput ? sockets : [],
    };
  };
  return [end('subgraphInputs', left - 220), end('subgraphOutputs', right + 80)];
}

interface RawLink extends GraphLink {
  readonly parent: string | undefined;
}

function readLinks(raw: Json, nodes: readonly GraphNode[]): GraphLink[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const slots = slotsByLink(raw);
  const viaOf = readReroutes(raw);
  const taken = new Set<string>();
  const all = isObject(raw['links']) ? Object.values(raw['links']) : listOf(raw['links']);
  return all.flatMap((entry) => {
    const link = readLink(entry);
    if (!link || taken.has(link.id)) return [];
    // The slots in links are wrong if the file omits inputs; the inputs themselves are right.
    const target = slots.get(link.id);
    const to = target?.node ?? link.to;
    const toSlot = target?.slot ?? link.toSlot;
    const source = byId.get(link.from)?.outputs[link.fromSlot];
    if (!source || !byId.get(to)?.inputs[toSlot]) return [];
    taken.add(link.id);
    const type = link.type === ANY_TYPE ? source.type : link.type;
    return [
      {
        id: link.id,
        from: link.from,
        fromSlot: link.fromSlot,
        to,
        toSlot,
        type,
        via: viaOf(link.id, link.parent),
      },
    ];
  });
}

function slotsByLink(raw: Json): ReadonlyMap<string, { readonly node: string; readonly slot: number }> {
  const found = new Map<string, { node: string; slot: number }>();
  for (const node of listOf(raw['nodes']).filter(isObject)) {
    for (const [slot, input] of listOf(node['inputs']).entries()) {
      const link = isObject(input) ? idOf(input['link']) : undefined;
      const id = idOf(node['id']);
      if (link !== undefined && id !== undefined && !found.has(link)) found.set(link, { node: id, slot });
    }
  }
  return found;
}

/** `[id, from, slot, to, slot, type]`, or an object. */
function readLink(raw: unknown): RawLink | undefined {
  const parts = Array.isArray(raw)
    ? (raw as unknown[])
    : isObject(raw)
      ? ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot', 'type', 'parentId'].map(
          (key) => raw[key],
        )
      : [];
  const [id, from, to] = [idOf(parts[0]), idOf(parts[1]), idOf(parts[3])];
  if (id === undefined || from === undefined || to === undefined) return undefined;
  const type = Array.isArray(parts[5]) ? 'COMBO' : (textOf(parts[5]) ?? ANY_TYPE);
  return {
    id,
    from,
    fromSlot: Number(parts[2]),
    to,
    toSlot: Number(parts[4]),
    type,
    via: [],
    parent: idOf(parts[6]),
  };
}

/** Reroute points of links. Each refers to the previous one; a link refers to its last. */
function readReroutes(raw: Json): (link: string, parent: string | undefined) => readonly Point[] {
  const extra = isObject(raw['extra']) ? raw['extra'] : {};
  const points = new Map<string, Point & { readonly parent: string | undefined }>();
  for (const reroute of [...listOf(raw['reroutes']), ...listOf(extra['reroutes'])].filter(isObject)) {
    const [x, y] = pairOf(reroute['pos']);
    points.set(idOf(reroute['id']) ?? '', { x, y, parent: idOf(reroute['parentId']) });
  }
  const lasts = new Map(
    listOf(extra['linkExtensions'])
      .filter(isObject)
      .map((extension) => [idOf(extension['id']) ?? '', idOf(extension['parentId'])]),
  );
  return (link, parent) => {
    const via = new Set<Point>();
    let id = parent ?? lasts.get(link);
    for (let point = points.get(id ?? ''); point && !via.has(point); point = points.get(id ?? '')) {
      via.add(point);
      id = point.parent;
    }
    return [...via].toReversed();
  };
}

function readGroup(raw: unknown, index: number): GraphGroup[] {
  if (!isObject(raw)) return [];
  const [x, y, width, height] = listOf(raw['bounding']).map(numberOf);
  if (x === undefined || y === undefined || !width || !height || width < 0 || height < 0) return [];
  return [
    {
      id: `group-${index}`,
      title: textOf(raw['title']) ?? '',
      x,
      y,
      width,
      height,
      color: colorOf(raw['color']),
    },
  ];
}

/** Ids are numbers in some files and texts in others. */
function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : undefined;
}

/** Only valid colors are used in a style. */
function colorOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value) ? value : undefined;
}

/** Old files write pairs as `{"0": x, "1": y}`. */
function pairOf(value: unknown): [number, number] {
  const [x, y] = Array.isArray(value) ? value : isObject(value) ? [value['0'], value['1']] : [];
  return [numberOf(x), numberOf(y)];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, value))
    : 0;
}

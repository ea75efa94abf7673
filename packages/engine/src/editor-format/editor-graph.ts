import { isObject } from '@atelier/contracts/is-object';
import { type SavedValues, toSavedValues } from './saved-values.ts';
import type { Problems } from './unreadable-workflow.ts';

export interface EditorInput {
  readonly name: string;
  readonly type: string;
  readonly link: string | undefined;
  /** The widget that the input stands for. */
  readonly widget: string | undefined;
}

/** A widget of an inner node that a subgraph node shows as its own. */
export interface ProxyWidget {
  /** An id, or ids joined by colons; `-1` for an input of the subgraph node itself. */
  readonly node: string;
  readonly widget: string;
  /** The node inside the node, where several have such a widget. */
  readonly source: string | undefined;
}

export interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly title: string | undefined;
  readonly mode: number;
  readonly inputs: readonly EditorInput[];
  readonly inputByName: ReadonlyMap<string, EditorInput>;
  readonly outputTypes: readonly string[];
  readonly values: SavedValues;
  readonly proxies: readonly ProxyWidget[];
}

export interface EditorLink {
  readonly from: string;
  readonly fromSlot: number;
  readonly to: string;
  readonly toSlot: number;
}

export interface EditorGraph {
  readonly nodes: readonly EditorNode[];
  readonly byId: ReadonlyMap<string, EditorNode>;
  readonly links: ReadonlyMap<string, EditorLink>;
}

/** What links inside a subgraph name for its inputs and outputs. */
export const SUBGRAPH_INPUTS = '-10';
export const SUBGRAPH_OUTPUTS = '-20';
export const MUTED = 2;
export const BYPASSED = 4;
export const ANY_TYPE = '*';
export const SAME_ID = 'has the id of another node. Copy it in the editor, and delete the original.';

type Raw = Readonly<Record<string, unknown>>;

/** Whether it is what the editor saves, with a list of `nodes`, rather than nodes by id. */
export function isEditorWorkflow(value: unknown): value is Raw {
  return isObject(value) && Array.isArray(value['nodes']);
}

/** Links to nowhere stay: they count as none, as they do when the editor opens the file. */
export function toEditorGraph(raw: Raw, where: string, problems: Problems): EditorGraph {
  const nodes = listOf(raw['nodes']).flatMap((node, index) => {
    const read = isObject(node) ? toNode(node) : undefined;
    if (!read) problems.add(`Entry ${index} of “nodes”${where} is not a node: a node has an id and a type.`);
    return read ? [read] : [];
  });
  const byId = new Map<string, EditorNode>();
  for (const node of nodes) {
    if (byId.has(node.id)) problems.addOf(node, SAME_ID);
    else byId.set(node.id, node);
  }
  const links = new Map<string, EditorLink>();
  for (const link of isObject(raw['links']) ? Object.values(raw['links']) : listOf(raw['links'])) {
    const read = toLink(link);
    if (read) links.set(...read);
  }
  return { nodes, byId, links };
}

function toNode(raw: Raw): EditorNode | undefined {
  const { id, type, title, mode, properties } = raw;
  const known = toId(id);
  if (known === undefined || typeof type !== 'string' || type === '') return undefined;
  const inputs = listOf(raw['inputs']).filter(isObject).map(toInput);
  return {
    id: known,
    type,
    title: typeof title === 'string' && title !== '' ? title : undefined,
    mode: typeof mode === 'number' ? mode : 0,
    inputs,
    inputByName: new Map(inputs.map((input) => [input.name, input])),
    outputTypes: listOf(raw['outputs']).map((output) =>
      toType(isObject(output) ? output['type'] : undefined),
    ),
    values: toSavedValues(raw['widgets_values'], raw['widgets_values_named']),
    proxies: isObject(properties) ? listOf(properties['proxyWidgets']).flatMap(toProxy) : [],
  };
}

function toInput({ name, type, link, widget }: Raw): EditorInput {
  const widgetName = isObject(widget) ? widget['name'] : undefined;
  return {
    name: typeof name === 'string' ? name : '',
    type: toType(type),
    link: toId(link),
    widget: typeof widgetName === 'string' ? widgetName : undefined,
  };
}

/** Combos were once typed by their list of choices, and 0 is any type. */
function toType(type: unknown): string {
  if (Array.isArray(type)) return 'COMBO';
  return typeof type === 'string' && type !== '' ? type : ANY_TYPE;
}

function toProxy(entry: unknown): readonly ProxyWidget[] {
  const [id, widget, source]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const node = toId(id);
  return node === undefined || typeof widget !== 'string' ? [] : [{ node, widget, source: toId(source) }];
}

/** `[id, from, slot, to, slot, type]`, or an object. */
function toLink(raw: unknown): [id: string, EditorLink] | undefined {
  const parts: readonly unknown[] = Array.isArray(raw)
    ? raw
    : isObject(raw)
      ? [raw['id'], raw['origin_id'], raw['origin_slot'], raw['target_id'], raw['target_slot']]
      : [];
  const [id, from, to] = [toId(parts[0]), toId(parts[1]), toId(parts[3])];
  const [fromSlot, toSlot] = [toSlotIndex(parts[2]), toSlotIndex(parts[4])];
  if (id === undefined || from === undefined || to === undefined) return undefined;
  if (fromSlot === undefined || toSlot === undefined) return undefined;
  return [id, { from, fromSlot, to, toSlot }];
}

function toSlotIndex(slot: unknown): number | undefined {
  const index = typeof slot === 'string' && /^\d{1,9}$/.test(slot) ? Number(slot) : slot;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

export function toId(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  return typeof id === 'bigint' || (typeof id === 'number' && Number.isFinite(id)) ? String(id) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

import { isLink, type NodeCatalogue, type NodeDescription } from '@atelier/engine/editor-format';

import { savedWidgets } from './editor-widgets.ts';
import { isObject, type Json, textOf } from './json.ts';

const COLUMN = 360;
const GAP = 48;
const TITLE = 40;
const ROW = 26;

interface Placed {
  readonly id: string;
  readonly node: Json;
  readonly inputs: Json;
  readonly description: NodeDescription | undefined;
  readonly number: number;
}

/** Converts a workflow from the API format to an editor file: nodes in columns, each to the right of its inputs. */
export function toEditorFormat(prompt: Json, catalogue: NodeCatalogue): Json {
  const placed = Object.entries(prompt).flatMap(([id, node], index): Placed[] => {
    if (!isObject(node)) return [];
    const inputs = isObject(node['inputs']) ? node['inputs'] : {};
    const description = catalogue.get(textOf(node['class_type']) ?? '');
    return [{ id, node, inputs, description, number: index + 1 }];
  });
  // Ids such as `5:7` belong to inner nodes; here all nodes are in one graph.
  const hasPlainIds = placed.every(({ id }) => /^[1-9]\d{0,8}$/.test(id));
  const numbers = new Map(placed.map(({ id, number }) => [id, hasPlainIds ? Number(id) : number]));
  const columns = columnsOf(placed);
  const heights = new Map<number, number>();
  const links: unknown[][] = [];
  const outputLinks = new Map<string, number[][]>();

  const inputsOf = ({ id, inputs, description }: Placed) => {
    const linked = Object.entries(inputs).filter(([, value]) => isLink(value));
    const known = Object.entries(description?.inputs ?? {})
      .filter(([name, input]) => input.kind === 'link' && !Object.hasOwn(inputs, name))
      .map(([name]) => [name, undefined] as const);
    return [...linked, ...known].map(([name, value], slot) => {
      const input = description?.inputs[name];
      const isWidget = input !== undefined && input.kind !== 'link';
      const type = input?.kind === 'link' ? input.socket : (input?.kind ?? '*').toUpperCase();
      const from = isLink(value) ? numbers.get(value[0]) : undefined;
      let link: number | null = null;
      if (isLink(value) && from !== undefined) {
        link = links.length + 1;
        links.push([link, from, value[1], numbers.get(id), slot, type]);
        const slots = outputLinks.get(value[0]) ?? [];
        (slots[value[1]] ??= []).push(link);
        outputLinks.set(value[0], slots);
      }
      return { name, type, link, ...(isWidget && { widget: { name } }) };
    });
  };
  const bodies = placed.map((one) => ({ one, inputs: inputsOf(one) }));
  const nodes = bodies.map(({ one, inputs }, order) => {
    const { id, node, description } = one;
    const values = widgetValues(one);
    const outputs = (description?.outputs ?? []).map(({ name, socket }, slot) => ({
      name,
      type: socket,
      links: outputLinks.get(id)?.[slot] ?? [],
    }));
    const column = columns.get(id) ?? 0;
    const top = heights.get(column) ?? 0;
    const height = TITLE + ROW * (Math.max(inputs.length, outputs.length) + values.length);
    heights.set(column, top + height + GAP);
    const title = isObject(node['_meta']) ? textOf(node['_meta']['title']) : undefined;
    const mode = isObject(node['_meta']) ? node['_meta']['mode'] : undefined;
    return {
      id: numbers.get(id),
      type: textOf(node['class_type']),
      pos: [column * COLUMN, top],
      size: [COLUMN - 2 * GAP, height],
      flags: {},
      order,
      mode: mode === 'mute' ? 2 : mode === 'bypass' ? 4 : 0,
      inputs,
      outputs,
      ...(title !== undefined && { title }),
      properties: {},
      widgets_values: values,
    };
  });
  return {
    last_node_id: Math.max(0, ...numbers.values()),
    last_link_id: links.length,
    nodes,
    links,
    groups: [],
    config: {},
    extra: {},
    version: 0.4,
  };
}

/** In the order of the editor, with the control after each seed. */
function widgetValues({ inputs, description }: Placed): unknown[] {
  if (!description) return [];
  const own = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !isLink(value)));
  return savedWidgets({ widgets_values: own }, description).flatMap(({ name, input, value }) => {
    const plain = isObject(value) && '__value__' in value ? value['__value__'] : value;
    const isSeed =
      input.kind === 'int' && (input.options.control_after_generate ?? ['seed', 'noise_seed'].includes(name));
    return isSeed ? [plain, 'fixed'] : [plain];
  });
}

/** The depth of each node: the length of the longest path to it. */
function columnsOf(placed: readonly Placed[]): ReadonlyMap<string, number> {
  const byId = new Map(placed.map((one) => [one.id, one]));
  const columns = new Map<string, number>();
  const open = new Set<string>();
  function columnOf(id: string): number {
    const known = columns.get(id);
    if (known !== undefined || open.has(id)) return known ?? 0;
    open.add(id);
    const sources = Object.values(byId.get(id)?.inputs ?? {}).filter(isLink);
    const before = sources.filter(([from]) => byId.has(from)).map(([from]) => columnOf(from) + 1);
    const column = Math.max(0, ...before);
    open.delete(id);
    columns.set(id, column);
    return column;
  }
  for (const { id } of placed) columnOf(id);
  return columns;
}

import { isObject } from '@atelier/contracts/is-object';
import {
  type EditorGraph,
  type EditorLink,
  type EditorNode,
  listOf,
  SUBGRAPH_INPUTS,
  SUBGRAPH_OUTPUTS,
  toEditorGraph,
  toId,
} from './editor-graph.ts';
import { type Problems, shorten } from './unreadable-workflow.ts';

/** A graph that nodes of its type stand for. */
export interface Subgraph {
  readonly id: string;
  readonly graph: EditorGraph;
  readonly inputNames: readonly string[];
  readonly slotOf: ReadonlyMap<string, number>;
  /** The first widget that each input leads to, if any. */
  readonly firstWidget: ReadonlyMap<number, InnerWidget>;
  /** The link that leads to each output. */
  readonly toOutput: ReadonlyMap<number, EditorLink>;
}

interface InnerWidget {
  readonly node: EditorNode;
  readonly widget: string;
}

export type Subgraphs = ReturnType<typeof createSubgraphs>;

type Raw = Readonly<Record<string, unknown>>;

/** Definitions are read when they are first used: what nobody uses may be broken. */
export function createSubgraphs(workflow: Raw, problems: Problems) {
  const raw = collectDefinitions(workflow);
  const read = new Map<string, Subgraph>();
  return {
    get(id: string): Subgraph | undefined {
      const known = read.get(id);
      const definition = raw.get(id);
      if (known || !definition) return known;
      const made = toSubgraph(id, definition, problems);
      read.set(id, made);
      return made;
    },
  };
}

/** They lie beside each other, or inside the definition that uses them. */
function collectDefinitions(workflow: Raw): ReadonlyMap<string, Raw> {
  const found = new Map<string, Raw>();
  const waiting = [workflow];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const definitions = next['definitions'];
    const inside = isObject(definitions) ? listOf(definitions['subgraphs']).filter(isObject) : [];
    for (const definition of inside) {
      const { id } = definition;
      if (typeof id === 'string' && !found.has(id)) found.set(id, definition);
      waiting.push(definition);
    }
  }
  return found;
}

function toSubgraph(id: string, raw: Raw, problems: Problems): Subgraph {
  const name = typeof raw['name'] === 'string' ? raw['name'] : id;
  const graph = toEditorGraph(raw, ` of the subgraph “${shorten(name)}”`, problems);
  const widgets = widgetsByLink(graph);
  const firstWidget = new Map<number, InnerWidget>();
  const toOutput = new Map<number, EditorLink>();
  for (const [linkId, slot] of linksOfSlots(raw['outputs'])) {
    const link = graph.links.get(linkId);
    if (link?.to === SUBGRAPH_OUTPUTS && !toOutput.has(slot)) toOutput.set(slot, link);
  }
  for (const [linkId, link] of graph.links) {
    const widget = link.from === SUBGRAPH_INPUTS ? widgets.get(linkId) : undefined;
    if (widget && !firstWidget.has(link.fromSlot)) firstWidget.set(link.fromSlot, widget);
    if (link.to === SUBGRAPH_OUTPUTS && !toOutput.has(link.toSlot)) toOutput.set(link.toSlot, link);
  }
  const inputNames = listOf(raw['inputs']).map(nameOf);
  const slotOf = new Map(inputNames.map((input, slot) => [input, slot]));
  return { id, graph, inputNames, slotOf, firstWidget, toOutput };
}

/** Files have links to outputs that are gone; the outputs say which of them are theirs. */
function linksOfSlots(slots: unknown): readonly (readonly [linkId: string, slot: number])[] {
  return listOf(slots).flatMap((output, slot) =>
    listOf(isObject(output) ? output['linkIds'] : undefined).map((id) => [toId(id) ?? '', slot] as const),
  );
}

/** By what the inputs say: the slots in links are off when inputs were left out of the file. */
function widgetsByLink({ nodes }: EditorGraph): ReadonlyMap<string, InnerWidget> {
  const found = new Map<string, InnerWidget>();
  for (const node of nodes) {
    for (const { link, widget } of node.inputs) {
      if (link !== undefined && widget !== undefined) found.set(link, { node, widget });
    }
  }
  return found;
}

function nameOf(slot: unknown): string {
  const name = isObject(slot) ? slot['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

import { type NodeChange, type NodeHandle, Position } from '@xyflow/react';
import { useCallback, useMemo, useRef, useState } from 'react';

import type { WorkflowNode } from '../document/workflow-nodes.ts';
import type { WorkflowModel } from '../workflow-model.ts';
import { shownOf } from './file-values.ts';
import type { Graph, GraphNode, Point } from './graph.ts';
import type { GroupNode } from './group-box.tsx';
import { layeredLayout } from './layered-layout.ts';
import type { LinkEdge } from './link-edge.tsx';
import type { CardNode } from './node-card.tsx';
import { type Geometry, geometryOf, TITLE_HEIGHT } from './node-geometry.ts';
import { readGraph } from './read-graph.ts';

export type FlowNode = CardNode | GroupNode;

const SOCKET = 10;
const NO_GRAPH: Graph = { nodes: [], links: [], groups: [], isUnplaced: false };

interface Made {
  readonly key: string;
  readonly isSelected: boolean;
  readonly flowNode: CardNode;
}

/**
 * The nodes and links to draw, each the same object as before unless it has changed: that is what keeps hundreds of nodes still while one value
 * is typed.
 */
export function useFlow(model: WorkflowModel, scope: readonly string[]) {
  const { json, catalogue, live } = model;
  const graph = useMemo(() => readGraph(json, { scope, catalogue }) ?? NO_GRAPH, [json, scope, catalogue]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const made = useRef(new Map<string, Made>());
  const showing = useRef(new Set<string>());
  const placed = useRef<{ readonly key: string; readonly places: ReadonlyMap<string, Point> }>(undefined);
  const linksKey = JSON.stringify(graph.links);

  const contentOf = ({ runId }: GraphNode) => {
    const node = model.nodeOf(runId);
    const hasOutput = isAnything(live.nodes.get(runId)?.output) || live.preview?.nodeId === runId;
    if (hasOutput) showing.current.add(runId);
    // Where we place the nodes, there is room from the beginning for what they will show.
    const isToShow = graph.isUnplaced && node?.description?.outputNode === true;
    return { node, isShowing: showing.current.has(runId) || isToShow };
  };

  const placesOf = (): ReadonlyMap<string, Point> | undefined => {
    if (!graph.isUnplaced) return undefined;
    const key = JSON.stringify([graph.nodes.map(({ id }) => id), linksKey]);
    if (placed.current?.key !== key) {
      const boxes = graph.nodes.map((node) => ({ id: node.id, ...geometryOf(node, contentOf(node)) }));
      placed.current = { key, places: layeredLayout(boxes, graph.links) };
    }
    return placed.current.places;
  };

  const places = placesOf();
  const next = new Map<string, Made>();
  for (const node of graph.nodes) {
    const content = contentOf(node);
    const place = places?.get(node.id) ?? {
      x: node.x,
      y: node.y - (node.kind === 'reroute' ? 0 : TITLE_HEIGHT),
    };
    const key = `${keyOf(node)} ${shapeOf(content.node)} ${content.isShowing} ${place.x} ${place.y}`;
    const before = made.current.get(node.id);
    const isSelected = selected.has(node.id);
    if (before?.key === key && before.isSelected === isSelected) next.set(node.id, before);
    else {
      const data = before?.key === key ? before.flowNode.data : { node, geometry: geometryOf(node, content) };
      next.set(node.id, { key, isSelected, flowNode: toFlowNode(data, place, isSelected, content.node) });
    }
  }
  made.current = next;
  const order = [...next.values()].map(({ flowNode }) => flowNode);
  const cards = useStableList(order);
  const groupsKey = JSON.stringify(graph.groups);
  // oxlint-disable-next-line react/exhaustive-deps -- the key stands for what it is made of.
  const groups = useMemo(() => graph.groups.map(toGroupNode), [groupsKey]);
  const nodes = useMemo<FlowNode[]>(() => [...groups, ...cards], [groups, cards]);
  // oxlint-disable-next-line react/exhaustive-deps -- as above.
  const edges = useMemo(() => graph.links.map(toEdge), [linksKey]);
  const runIds = useMemo(() => graph.nodes.map(({ runId }) => runId), [graph]);

  const onNodesChange = useCallback((changes: NodeChange<FlowNode>[]) => {
    const selections = changes.filter((change) => change.type === 'select');
    if (selections.length === 0) return;
    setSelected((before) => {
      const after = new Set(before);
      for (const { id, selected: isSelected } of selections) {
        if (isSelected) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  }, []);
  return { graph, nodes, edges, runIds, selected, onNodesChange };
}

/** The same list as long as its members are. */
function useStableList<T>(list: readonly T[]): readonly T[] {
  const kept = useRef(list);
  const isSame =
    kept.current.length === list.length && kept.current.every((one, index) => one === list[index]);
  if (!isSame) kept.current = list;
  return kept.current;
}

const keys = new WeakMap<GraphNode, string>();

function keyOf(node: GraphNode): string {
  const known = keys.get(node) ?? JSON.stringify(node);
  keys.set(node, known);
  return known;
}

/** What of a node's values decides its shape. */
function shapeOf(node: WorkflowNode | undefined): string {
  return `${node?.title} ${(node?.widgets ?? []).map(({ name, isLinked }) => `${name}${isLinked ? '<' : '='}`).join()}`;
}

function isAnything(output: Parameters<typeof shownOf>[0]): boolean {
  if (!output) return false;
  const { files, texts } = shownOf(output);
  return files.length + texts.length > 0;
}

function toFlowNode(
  data: CardNode['data'],
  position: Point,
  isSelected: boolean,
  workflowNode: WorkflowNode | undefined,
): CardNode {
  const { node, geometry } = data;
  const { width, height } = geometry;
  return {
    id: node.id,
    type: (node.kind === 'reroute' ? 'reroute' : 'card') as 'card',
    position,
    data,
    width,
    height,
    measured: { width, height },
    handles: handlesOf(geometry),
    selected: isSelected,
    draggable: false,
    connectable: false,
    deletable: false,
    ariaLabel: node.title ?? workflowNode?.title ?? node.type,
  };
}

function handlesOf({ width, inputTops, outputTops }: Geometry): NodeHandle[] {
  const handle = (type: 'source' | 'target') => (top: number, slot: number) => ({
    id: String(slot),
    type,
    position: type === 'target' ? Position.Left : Position.Right,
    x: (type === 'target' ? 0 : width) - SOCKET / 2,
    y: top - SOCKET / 2,
    width: SOCKET,
    height: SOCKET,
  });
  return [...inputTops.map(handle('target')), ...outputTops.map(handle('source'))];
}

function toGroupNode(group: Graph['groups'][number]): GroupNode {
  const { id, x, y, width, height } = group;
  return {
    id,
    type: 'group',
    position: { x, y },
    data: { group },
    width,
    height,
    measured: { width, height },
    handles: [],
    zIndex: -1,
    draggable: false,
    selectable: false,
    focusable: false,
    connectable: false,
    deletable: false,
    className: 'pointer-events-none!',
  };
}

function toEdge({ id, from, fromSlot, to, toSlot, type, via }: Graph['links'][number]): LinkEdge {
  return {
    id,
    type: 'link',
    source: from,
    sourceHandle: String(fromSlot),
    target: to,
    targetHandle: String(toSlot),
    data: { type, via },
    focusable: false,
    selectable: false,
    deletable: false,
  };
}

import { type NodeHandle, Position } from '@xyflow/react';

import type { WorkflowNode } from '../document/workflow-nodes.ts';
import type { WorkflowModel } from '../workflow-model.ts';
import { outputsOf } from './file-values.ts';
import type { Graph, GraphNode, Point } from './graph.ts';
import { layeredLayout } from './layered-layout.ts';
import type { CardNode } from './node-card.tsx';
import { type Geometry, geometryOf, TITLE_HEIGHT } from './node-geometry.ts';

const SOCKET = 10;

interface Made {
  readonly key: string;
  readonly isSelected: boolean;
  readonly flowNode: CardNode;
}

/**
 * Creates the nodes to draw. Unchanged nodes stay the same objects, so hundreds of nodes do not re-render while one value
 * is typed.
 */
export function createFlowNodes() {
  let made: ReadonlyMap<string, Made> = new Map();
  let list: readonly CardNode[] = [];
  let placed: { readonly key: string; readonly places: ReadonlyMap<string, Point> } | undefined;
  /** A node that has shown output keeps the space, so that nothing jumps when it runs again. */
  const showing = new Set<string>();

  function contentOf({ runId }: GraphNode, { isUnplaced }: Graph, { nodeOf, live }: WorkflowModel) {
    const node = nodeOf(runId);
    if (isAnything(live.nodes.get(runId)?.output) || live.preview?.nodeId === runId) showing.add(runId);
    // If we place the nodes, we reserve space for their output.
    const isToShow = isUnplaced && node?.description?.outputNode === true;
    return { node, isShowing: showing.has(runId) || isToShow };
  }

  /** Nodes keep their first position, even when they grow. */
  function placesOf(graph: Graph, model: WorkflowModel): ReadonlyMap<string, Point> | undefined {
    if (!graph.isUnplaced) return undefined;
    const key = JSON.stringify([graph.nodes.map(({ id }) => id), graph.links]);
    if (placed?.key === key) return placed.places;
    const boxes = graph.nodes.map((node) => ({
      id: node.id,
      ...geometryOf(node, contentOf(node, graph, model)),
    }));
    placed = { key, places: layeredLayout(boxes, graph.links) };
    return placed.places;
  }

  return (graph: Graph, model: WorkflowModel, selected: ReadonlySet<string>): readonly CardNode[] => {
    const places = placesOf(graph, model);
    const next = new Map<string, Made>();
    for (const node of graph.nodes) {
      const content = contentOf(node, graph, model);
      const place = places?.get(node.id) ?? placeOf(node);
      const key = `${keyOf(node)} ${shapeOf(content.node)} ${content.isShowing} ${place.x} ${place.y}`;
      const isSelected = selected.has(node.id);
      const before = made.get(node.id);
      if (before?.key === key && before.isSelected === isSelected) next.set(node.id, before);
      else {
        const data =
          before?.key === key ? before.flowNode.data : { node, geometry: geometryOf(node, content) };
        const label = node.title ?? content.node?.title ?? node.type;
        next.set(node.id, { key, isSelected, flowNode: toFlowNode(data, place, { isSelected, label }) });
      }
    }
    made = next;
    const nodes = [...next.values()].map(({ flowNode }) => flowNode);
    const isSame = nodes.length === list.length && nodes.every((node, index) => node === list[index]);
    if (!isSame) list = nodes;
    return list;
  };
}

/** In files the position of a node excludes its title. */
function placeOf({ kind, x, y }: GraphNode): Point {
  return { x, y: kind === 'reroute' ? y : y - TITLE_HEIGHT };
}

const keys = new WeakMap<GraphNode, string>();

function keyOf(node: GraphNode): string {
  const known = keys.get(node) ?? JSON.stringify(node);
  keys.set(node, known);
  return known;
}

/** The values of a node that determine its size. */
function shapeOf(node: WorkflowNode | undefined): string {
  const widgets = (node?.widgets ?? []).map(({ name, isLinked }) => `${name}${isLinked ? '<' : '='}`);
  return `${node?.title} ${widgets.join()}`;
}

function isAnything(output: Parameters<typeof outputsOf>[0]): boolean {
  if (!output) return false;
  const { files, texts } = outputsOf(output);
  return files.length + texts.length > 0;
}

function toFlowNode(
  data: CardNode['data'],
  position: Point,
  { isSelected, label }: { readonly isSelected: boolean; readonly label: string },
): CardNode {
  const { node, geometry } = data;
  const { width, height } = geometry;
  return {
    id: node.id,
    type: node.kind === 'reroute' ? 'reroute' : 'card',
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
    ariaLabel: label,
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

import type { NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useState } from 'react';

import type { WorkflowModel } from '../workflow-model.ts';
import { createFlowNodes } from './flow-nodes.ts';
import type { Graph } from './graph.ts';
import type { GroupNode } from './group-box.tsx';
import type { LinkEdge } from './link-edge.tsx';
import type { CardNode } from './node-card.tsx';
import { readGraph } from './read-graph.ts';

export type FlowNode = CardNode | GroupNode;

const NO_GRAPH: Graph = { nodes: [], links: [], groups: [], isUnplaced: false };

/** The nodes and links to draw, and what is selected. */
export function useFlow(model: WorkflowModel, scope: readonly string[]) {
  const { json, catalogue } = model;
  const graph = useMemo(() => readGraph(json, { scope, catalogue }) ?? NO_GRAPH, [json, scope, catalogue]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [makeNodes] = useState(createFlowNodes);
  const cards = makeNodes(graph, model, selected);
  const groups = useSame(graph.groups);
  const links = useSame(graph.links);
  const nodes = useMemo<FlowNode[]>(() => [...groups.map(toGroupNode), ...cards], [groups, cards]);
  const edges = useMemo(() => links.map(toEdge), [links]);
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

/** A stable object as long as the content is the same. */
function useSame<T extends object>(value: T): T {
  const key = JSON.stringify(value);
  const [kept, setKept] = useState({ key, value });
  if (kept.key === key) return kept.value;
  setKept({ key, value });
  return value;
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

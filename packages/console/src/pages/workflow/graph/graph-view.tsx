import { Background, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useWorkflowModel } from '../workflow-model.ts';
import { FindNode } from './find-node.tsx';
import './graph.css';
import { GraphRun } from './graph-run.tsx';
import { GraphTools, SubgraphPath } from './graph-tools.tsx';
import { GroupBox } from './group-box.tsx';
import { LinkLine } from './link-edge.tsx';
import { NodeCard } from './node-card.tsx';
import { createNodeStates, type GraphActions, GraphContext } from './node-states.ts';
import { RerouteDot } from './reroute-dot.tsx';
import { type FlowNode, useFlow } from './use-flow.ts';
import { useLatest } from './use-latest.ts';
import { FIT, goToNode, moveByKey, zoomToStart } from './view-moves.ts';

const NODE_TYPES = { card: NodeCard, reroute: RerouteDot, group: GroupBox };
const EDGE_TYPES = { link: LinkLine };
/** From this number of nodes on, a map is shown. */
const MIN_NODES_FOR_MAP = 30;
const WHOLE: readonly string[] = [];

/** The open workflow as a graph, with every value editable in place. */
export function GraphView() {
  const [scope, setScope] = useState<readonly string[]>();
  const [left, setLeft] = useState<string>();
  const move = (next: readonly string[]) => {
    setLeft(scope?.[next.length]);
    setScope(next);
  };
  return (
    // Each subgraph has its own view, with its own selection and viewport.
    <ReactFlowProvider key={scope?.join(':')}>
      <GraphCanvas scope={scope ?? WHOLE} hasMoved={scope !== undefined} left={left} onScope={move} />
    </ReactFlowProvider>
  );
}

interface Props {
  readonly scope: readonly string[];
  /** Navigated from another part of the workflow, so the focus moves along. */
  readonly hasMoved: boolean;
  /** The subgraph that was just closed: its node gets the focus. */
  readonly left: string | undefined;
  readonly onScope: (scope: readonly string[]) => void;
}

function GraphCanvas({ scope, hasMoved, left, onScope }: Props) {
  const { graph: texts } = useMessages();
  const model = useWorkflowModel();
  const flow = useReactFlow<FlowNode>();
  const { graph, nodes, edges, runIds, selected, onNodesChange } = useFlow(model, scope);
  const [isFinding, setFinding] = useState(false);
  const [isCut, setCut] = useState(false);
  const [states] = useState(createNodeStates);
  useLayoutEffect(() => states.update(runIds, model), [states, runIds, model]);
  const canvas = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasMoved) canvas.current?.focus();
  }, [hasMoved]);
  const begin = () => {
    const isTooLarge = zoomToStart(flow, nodes, canvas.current?.clientHeight ?? 0);
    setCut(isTooLarge);
    if (left === undefined) return;
    if (isTooLarge) void goToNode(flow, left).then(() => focusNode(left));
    else focusNode(left);
  };
  // Closes a subgraph that undo has removed.
  useEffect(() => {
    if (graph.nodes.length === 0 && scope.length > 0) onScope([]);
  }, [graph, scope, onScope]);

  const context = useContextValue(scope, onScope, states);
  const prefix = scope.map((id) => `${id}:`).join('');
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
    const isField = event.target.matches('input, textarea, select, [contenteditable]');
    const focused = event.target.closest('.react-flow__node')?.getAttribute('data-id');
    const isDone =
      event.ctrlKey || event.metaKey
        ? pressWithControl(event, focused)
        : !isField && pressPlain(event, focused);
    if (isDone) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const pressWithControl = (
    { key, shiftKey }: KeyboardEvent,
    focused: string | null | undefined,
  ): boolean => {
    const meant = selected.size > 0 ? [...selected] : focused ? [focused] : [];
    const ids = meant.map((id) => prefix + id);
    const letter = key.toLowerCase();
    if (letter === 'z' && !shiftKey) model.undo();
    else if (letter === 'z' || letter === 'y') model.redo();
    else if (letter === 'b') context.actions.toggleMode(ids, 'bypass');
    else if (letter === 'm') context.actions.toggleMode(ids, 'mute');
    else return false;
    return true;
  };
  const pressPlain = (
    { key, target, shiftKey }: KeyboardEvent,
    focused: string | null | undefined,
  ): boolean => {
    const isNode = target instanceof HTMLElement && target.classList.contains('react-flow__node');
    if (key === '/') setFinding(true);
    else if (key === 'Escape' && scope.length > 0 && selected.size === 0) onScope(scope.slice(0, -1));
    else if (key === 'Enter' && isNode && focused) void enterNode(focused);
    else return !shiftKey && (isNode || !isControl(target)) && moveByKey(flow, key);
    return true;
  };
  /** Focuses the first value of a node, once it is zoomed in enough to be drawn. */
  const enterNode = async (id: string) => {
    await goToNode(flow, id);
    requestAnimationFrame(() => {
      const element = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
      element?.querySelector<HTMLElement>('textarea, input:not([hidden]), button')?.focus();
    });
  };
  const choose = async (id: string) => {
    setFinding(false);
    onNodesChange([...selected].map((each) => ({ type: 'select', id: each, selected: false })));
    onNodesChange([{ type: 'select', id, selected: true }]);
    await goToNode(flow, id);
    focusNode(id);
  };
  return (
    <GraphContext value={context}>
      <div className="relative size-full min-h-96">
        {graph.nodes.length === 0 ? (
          <EmptyState>{texts.empty}</EmptyState>
        ) : (
          <ReactFlow
            ref={canvas}
            tabIndex={-1}
            aria-label={texts.graph}
            onKeyDown={press}
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            onNodesChange={onNodesChange}
            onInit={begin}
            onNodeDoubleClick={({ target }, { id, data }) => {
              if (isControl(target)) return;
              if ('node' in data && data.node.kind === 'subgraph') context.actions.enter(id);
              else void goToNode(flow, id);
            }}
            onlyRenderVisibleElements
            fitView
            fitViewOptions={FIT}
            minZoom={0.05}
            maxZoom={2.5}
            nodesDraggable={false}
            nodesConnectable={false}
            edgesFocusable={false}
            elevateNodesOnSelect={false}
            deleteKeyCode={null}
            zoomOnDoubleClick={false}
            proOptions={{ hideAttribution: true }}
            ariaLabelConfig={{
              'node.a11yDescription.default': texts.nodeHint,
              'node.a11yDescription.keyboardDisabled': texts.nodeHint,
              'minimap.ariaLabel': texts.map,
            }}
          >
            <Background gap={24} size={1} color="var(--color-line)" />
            {(isCut || graph.nodes.length >= MIN_NODES_FOR_MAP) && (
              <MiniMap pannable zoomable className="hidden md:block" nodeColor="var(--color-edge)" />
            )}
            <SubgraphPath
              name={model.name === '' ? texts.workflow : model.name}
              steps={scope.map((_, depth) => model.nodeOf(scope.slice(0, depth + 1).join(':'))?.title ?? '')}
              onLeave={(depth) => onScope(scope.slice(0, depth))}
            />
            <GraphTools onFind={() => setFinding(true)} />
            <GraphRun />
          </ReactFlow>
        )}
        {isFinding && (
          <FindNode
            nodes={graph.nodes
              .filter(({ kind }) => kind !== 'reroute')
              .map(({ id, runId, title, type }) => ({
                id,
                title: title ?? model.nodeOf(runId)?.title ?? type,
                type,
              }))}
            onChoose={(id) => void choose(id)}
            onClose={() => setFinding(false)}
          />
        )}
      </div>
    </GraphContext>
  );
}

/** Waits until it is drawn. */
function focusNode(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus(),
  );
}

function isControl(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('button, a, input, textarea, [role="region"], [role="toolbar"]') !== null
  );
}

/** One stable object for all nodes; its functions see the latest state. */
function useContextValue(
  scope: readonly string[],
  onScope: Props['onScope'],
  states: ReturnType<typeof createNodeStates>,
): GraphContext {
  const model = useWorkflowModel();
  const latest = useLatest({ model, scope, onScope });
  return useMemo(() => {
    const actions: GraphActions = {
      setValue: (nodeId, input, value) => latest.current.model.setValue(nodeId, input, value),
      setControl: (nodeId, input, control) => latest.current.model.setControl(nodeId, input, control),
      setNote: (nodeId, text) => latest.current.model.setNote(nodeId, text),
      toggleMode(nodeIds, mode) {
        const { model: now } = latest.current;
        const areAll = nodeIds.every((id) => now.nodeOf(id)?.mode === mode);
        now.setMode(nodeIds, areAll ? 'run' : mode);
      },
      enter: (id) => latest.current.onScope([...latest.current.scope, id]),
    };
    return { states, actions };
  }, [latest, states]);
}

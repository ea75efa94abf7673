import { type Node, type NodeProps, Position } from '@xyflow/react';
import { CircleX, Puzzle } from 'lucide-react';
import { memo } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import type { Problem } from '../document/find-problems.ts';
import type { GraphNode, Socket } from './graph.ts';
import { colorOfType } from './link-colors.ts';
import { type Geometry, TITLE_HEIGHT, WIDGET_HEIGHT } from './node-geometry.ts';
import { NodeHeader } from './node-header.tsx';
import { NodeOutputs } from './node-outputs.tsx';
import { type NodeState, useNodeState } from './node-states.ts';
import { NoteText } from './note-text.tsx';
import { useIsZoomedOut } from './use-is-zoomed-out.ts';
import { WidgetRow } from './widget-row.tsx';

export type CardNode = Node<{ readonly node: GraphNode; readonly geometry: Geometry }, 'card' | 'reroute'>;

/** A node with its sockets, values and output. When zoomed out, only its title is drawn. */
export const NodeCard = memo(({ data: { node: graphNode, geometry }, selected }: NodeProps<CardNode>) => {
  const { graph } = useMessages();
  const state = useNodeState(graphNode.runId);
  const isZoomedOut = useIsZoomedOut();
  const title = useTitle(graphNode, state);
  const { node, live } = state;
  const problems = allProblems(graphNode.runId, state);
  const tint = graphNode.color ?? (graphNode.kind === 'note' ? 'var(--color-waiting)' : undefined);
  const isRunning = live?.state === 'running';
  const isFailed = problems.some(({ kind }) => kind !== 'missing-model') || live?.state === 'failed';
  return (
    <div
      className={cx(
        'relative size-full rounded-md border bg-surface text-12',
        selected ? 'border-accent ring-1 ring-accent' : 'border-edge/60',
        isRunning && 'border-accent ring-2 ring-accent',
        isFailed && 'border-failed ring-2 ring-failed',
        node?.kind === 'missing' && 'border-dashed border-failed bg-failed-soft',
        graphNode.kind === 'note' && 'border-waiting/40',
        node?.mode === 'mute' && 'border-dashed opacity-60',
        node?.mode === 'bypass' && 'border-waiting',
      )}
    >
      {tint !== undefined && (
        <div
          aria-hidden
          className="absolute inset-0 rounded-md"
          style={{ background: `color-mix(in oklab, ${tint} 14%, transparent)` }}
        />
      )}
      {isZoomedOut ? (
        <FarTitle title={title} />
      ) : (
        <>
          <NodeHeader graphNode={graphNode} state={state} title={title} />
          <CardBody graphNode={graphNode} geometry={geometry} state={state} title={title} />
        </>
      )}
      {isRunning && (
        <div className="absolute inset-x-2 overflow-hidden" style={{ top: TITLE_HEIGHT - 4 }}>
          <ProgressBar
            fraction={live.max > 1 ? live.value / live.max : undefined}
            label={graph.progressOf(title)}
          />
        </div>
      )}
      <Sockets sockets={graphNode.inputs} tops={geometry.inputTops} side="target" />
      <Sockets sockets={graphNode.outputs} tops={geometry.outputTops} side="source" />
      {!isZoomedOut && problems.length > 0 && <Problems problems={problems} />}
    </div>
  );
});

/** The error of the last run is a problem too. */
function allProblems(nodeId: string, { problems, live }: NodeState): readonly Problem[] {
  if (live?.error === undefined) return problems;
  return [...problems, { nodeId, input: undefined, kind: 'failed', text: live.error }];
}

export function useTitle(graphNode: GraphNode, { node }: NodeState): string {
  const { graph } = useMessages();
  if (graphNode.kind === 'subgraphInputs') return graph.subgraphInputs;
  if (graphNode.kind === 'subgraphOutputs') return graph.subgraphOutputs;
  return graphNode.title ?? node?.title ?? graphNode.type;
}

/** Large enough to read when zoomed out. */
function FarTitle({ title }: { readonly title: string }) {
  return (
    <p className="flex size-full items-center justify-center overflow-hidden px-3 text-center text-28 leading-tight font-medium wrap-anywhere">
      {title}
    </p>
  );
}

interface BodyProps {
  readonly graphNode: GraphNode;
  readonly geometry: Geometry;
  readonly state: NodeState;
  readonly title: string;
}

function CardBody({
  graphNode,
  geometry,
  state: { node, live, output, preview, problems },
  title,
}: BodyProps) {
  if (graphNode.isCollapsed) return null;
  const besides = new Set(geometry.widgets.map(({ slot }) => slot));
  // The rows come from the geometry; the values are current.
  const current = new Map(node?.widgets.map((widget) => [widget.name, widget]));
  return (
    <div className={node?.mode === 'bypass' ? 'opacity-60' : ''}>
      {graphNode.inputs.map((socket, slot) =>
        besides.has(slot) ? null : (
          <SocketName
            // oxlint-disable-next-line react/no-array-index-key -- identified by slot, because names repeat.
            key={`in${slot}`}
            socket={socket}
            top={geometry.inputTops[slot] ?? 0}
            className="left-3 right-1/2"
          />
        ),
      )}
      {graphNode.outputs.map((socket, slot) => (
        <SocketName
          // oxlint-disable-next-line react/no-array-index-key -- as above.
          key={`out${slot}`}
          socket={socket}
          top={geometry.outputTops[slot] ?? 0}
          className="right-3 left-1/2 text-right"
        />
      ))}
      {geometry.widgets.map(({ widget, top, height }) => (
        <div key={widget.name} className="absolute inset-x-0" style={{ top }}>
          <WidgetRow
            nodeId={graphNode.runId}
            widget={current.get(widget.name) ?? widget}
            height={height}
            hasControl={height > WIDGET_HEIGHT && widget.control !== undefined}
            problem={problems.find(({ input }) => input === widget.name)?.text}
          />
        </div>
      ))}
      {geometry.output && (
        <div className="absolute inset-x-3" style={geometry.output}>
          {graphNode.kind === 'note' ? (
            <NoteText
              nodeId={graphNode.runId}
              text={node?.text ?? ''}
              isMarkdown={graphNode.type === 'MarkdownNote'}
              title={title}
            />
          ) : (
            <NodeOutputs title={title} preview={live?.output ? undefined : preview} output={output} />
          )}
        </div>
      )}
    </div>
  );
}

function SocketName({
  socket,
  top,
  className,
}: {
  readonly socket: Socket;
  readonly top: number;
  readonly className: string;
}) {
  return (
    <span
      title={socket.type}
      className={cx('absolute -translate-y-1/2 truncate text-12 text-muted', className)}
      style={{ top }}
    >
      {socket.label}
    </span>
  );
}

interface SocketsProps {
  readonly sockets: readonly Socket[];
  readonly tops: readonly number[];
  readonly side: 'source' | 'target';
}

/**
 * The dots at the ends of links. The drawing library finds them by class; its own component would listen to every change of the view,
 * thousands of times over.
 */
const Sockets = memo(({ sockets, tops, side }: SocketsProps) =>
  sockets.map((socket, slot) => (
    <span
      // oxlint-disable-next-line react/no-array-index-key -- identified by slot, because names repeat.
      key={slot}
      aria-hidden
      data-handleid={String(slot)}
      data-handlepos={side === 'target' ? Position.Left : Position.Right}
      className={cx(
        side,
        'absolute size-2.5 -translate-y-1/2 rounded-full border-2',
        side === 'target' ? '-left-1.25' : '-right-1.25',
      )}
      style={{
        top: tops[slot],
        borderColor: colorOfType(socket.type),
        background: socket.isLinked ? colorOfType(socket.type) : 'var(--color-surface)',
      }}
    />
  )),
);

function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const { graph } = useMessages();
  const sentenceOf = ({ kind, text, input }: Problem) => {
    if (kind === 'missing-type') return graph.missingType(text);
    if (kind === 'missing-model') return graph.missingModel(text);
    return input === undefined ? text : `${input}: ${text}`;
  };
  return (
    <ul className="absolute top-full right-0 left-0 z-10 mt-1 flex flex-col gap-1 rounded-md border border-failed bg-raised p-2 text-12 shadow-float">
      {problems.slice(0, 4).map((problem) => (
        <li key={`${problem.input} ${problem.text}`} className="flex gap-1.5">
          {problem.kind === 'missing-type' ? (
            <Puzzle size={14} aria-hidden className="mt-px shrink-0 text-failed" />
          ) : (
            <CircleX size={14} aria-hidden className="mt-px shrink-0 text-failed" />
          )}
          <span className="nopan line-clamp-6 min-w-0 wrap-anywhere select-text">{sentenceOf(problem)}</span>
        </li>
      ))}
    </ul>
  );
}

import type { JobOutput, JobTimeline } from '@atelier/sdk';
import { Fragment, useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Panel } from '../../ui/page.tsx';
import { useNow } from '../../ui/use-now.ts';
import type { GraphNode } from './graph-nodes.ts';
import { NodeDetail } from './node-detail.tsx';
import type { TextOutput } from './text-outputs.ts';
import { nodeEnd, type TimelineScale, timelineScale } from './timeline-scale.ts';

interface Props {
  readonly timeline: JobTimeline;
  /** When the timeline was fetched; running nodes have continued since. */
  readonly readAt: number;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly outputs: readonly JobOutput[];
  readonly texts: readonly TextOutput[];
  /** The node that is open. */
  readonly open: string | undefined;
  readonly onOpen: (nodeId: string | undefined) => void;
}

type NodeTime = JobTimeline['nodes'][number];

const MAX_SHOWN = 40;
const ROW =
  'grid grid-cols-[minmax(96px,26%)_minmax(0,1fr)_64px] items-center gap-x-3 px-4 lg:grid-cols-[240px_minmax(0,1fr)_72px]';
const BARS: Readonly<Record<NodeTime['state'], string>> = {
  cached: 'border border-dashed border-edge',
  running: 'bg-accent animate-pulse motion-reduce:animate-none',
  finished: 'bg-accent/75',
  failed: 'bg-failed',
  stopped: 'bg-cancelled/60',
};

/** The waiting time and each node as a bar on one axis. A node expands to its inputs, outputs and log. */
export function Timeline({ timeline, readAt, nodes, outputs, texts: shown, open, onOpen }: Props) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const isRunning = timeline.status === 'in_progress';
  const now = useNow(250, isRunning);
  const [isWhole, setWhole] = useState(false);
  const runningMs = (timeline.running_ms ?? 0) + (isRunning ? Math.max(0, now - readAt) : 0);
  const scale = timelineScale(timeline.waiting_ms, runningMs);
  const isLong = !isWhole && timeline.nodes.length > MAX_SHOWN;
  const rows = isLong
    ? timeline.nodes.filter(({ node_id: id }, index) => index < MAX_SHOWN || id === open)
    : timeline.nodes;
  if (timeline.nodes.length === 0) return <p className="text-13 text-muted">{texts.noTimeline}</p>;
  return (
    <Panel>
      {timeline.attempt > 1 && (
        <p className="border-b border-line px-4 py-2 text-13 text-waiting">
          {texts.attemptNote(timeline.attempt)}
        </p>
      )}
      <div className={cx(ROW, 'h-8 border-b border-line text-12 text-muted')} aria-hidden>
        <span />
        <Axis scale={scale} />
      </div>
      <ul aria-label={texts.timelineLabel} className="py-1.5">
        {timeline.waiting_ms > 0 && (
          <li className={cx(ROW, 'h-7 text-13 text-muted')}>
            <span className="truncate">{texts.waiting}</span>
            <span className="relative h-3.5" aria-hidden>
              <span
                className={cx(
                  'absolute inset-y-0 left-0 min-w-0.5 rounded-sm bg-waiting/35',
                  scale.isBroken && 'rounded-r-none border-r-2 border-dashed border-waiting',
                )}
                style={{ width: `${scale.waitingPercent}%` }}
              />
            </span>
            <span className="text-right text-12 tabular-nums">{format.duration(timeline.waiting_ms)}</span>
          </li>
        )}
        {rows.map((time) => (
          <Fragment key={time.node_id}>
            <li>
              <NodeRow
                time={time}
                name={nameOf(time, nodes)}
                runningMs={runningMs}
                scale={scale}
                isOpen={open === time.node_id}
                onToggle={() => onOpen(open === time.node_id ? undefined : time.node_id)}
              />
              {open === time.node_id && (
                <NodeDetail
                  node={nodes.get(time.display_node_id ?? time.node_id)}
                  nodes={nodes}
                  outputs={outputs.filter(({ nodeId }) => nodeId === time.node_id)}
                  texts={shown.filter(({ nodeId }) => nodeId === time.node_id)}
                  log={timeline.log.filter((line) => line.node_id === time.node_id)}
                />
              )}
            </li>
          </Fragment>
        ))}
      </ul>
      {isLong && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" size="sm" onClick={() => setWhole(true)}>
            {texts.showAllNodes(timeline.nodes.length)}
          </Button>
        </div>
      )}
      {timeline.nodes_left_out > 0 && (
        <p className="border-t border-line px-4 py-2 text-13 text-muted">
          {texts.leftOut(timeline.nodes_left_out)}
        </p>
      )}
    </Panel>
  );
}

function nameOf({ node_id, display_node_id, title, class_type }: NodeTime, nodes: Props['nodes']): string {
  return title ?? class_type ?? nodes.get(display_node_id ?? node_id)?.title ?? node_id;
}

function Axis({ scale }: { readonly scale: TimelineScale }) {
  const format = useFormat();
  return (
    <span className="relative h-full">
      {scale.ticks.map((ms) => {
        const percent = scale.percentAt(ms);
        return (
          percent < 96 && (
            <span
              key={ms}
              className="absolute inset-y-0 flex items-center border-l border-line pl-1 whitespace-nowrap tabular-nums max-sm:nth-[even]:hidden"
              style={{ left: `${percent}%` }}
            >
              {ms === 0 ? 0 : format.duration(ms)}
            </span>
          )
        );
      })}
    </span>
  );
}

interface RowProps {
  readonly time: NodeTime;
  readonly name: string;
  readonly runningMs: number;
  readonly scale: TimelineScale;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function NodeRow({ time, name, runningMs, scale, isOpen, onToggle }: RowProps) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const end = nodeEnd(time, runningMs);
  const left = scale.percentAt(time.started_ms);
  const duration = end === undefined ? undefined : format.duration(Math.max(0, end - time.started_ms));
  const state = texts.nodeStates[time.state];
  return (
    <button
      type="button"
      id={`node-${time.node_id}`}
      aria-expanded={isOpen}
      title={`${name} (${time.class_type ?? time.node_id})`}
      onClick={onToggle}
      className={cx(
        ROW,
        'h-7 w-full text-left text-13 hover:bg-hover focus-visible:-outline-offset-2',
        isOpen && 'bg-accent-soft',
      )}
    >
      <span className={cx('relative truncate', time.state === 'failed' && 'font-medium text-failed')}>
        {name}
        {duration !== undefined && <span className="sr-only">{state}</span>}
      </span>
      <span className="relative h-3.5">
        <span
          className={cx(
            'absolute inset-y-0 min-w-1 rounded-sm',
            end === undefined && 'w-4',
            BARS[time.state],
          )}
          style={{
            left: `min(${left}%, calc(100% - 16px))`,
            ...(end !== undefined && { width: `${Math.max(0, scale.percentAt(end) - left)}%` }),
          }}
        />
      </span>
      <span className="truncate text-right text-12 text-muted tabular-nums">{duration ?? state}</span>
    </button>
  );
}

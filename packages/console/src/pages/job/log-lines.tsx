import type { JobTimeline } from '@atelier/sdk';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import type { GraphNode } from './graph-nodes.ts';

interface Props {
  readonly lines: JobTimeline['log'];
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Shows the node of each line. */
  readonly hasNames?: boolean;
}

export function LogLines({ lines, nodes, hasNames = false }: Props) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const nameOf = (id: string) => nodes.get(id)?.title ?? texts.node(id);
  return (
    // It scrolls, so it must be reachable by keyboard.
    <ol
      tabIndex={0}
      aria-label={texts.log}
      className="scroll-quiet max-h-96 overflow-y-auto font-mono text-12 leading-relaxed"
    >
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other key and do not move.
        <li key={index} className="flex gap-3">
          <span className="w-16 shrink-0 text-right text-muted tabular-nums">{format.duration(line.ms)}</span>
          {hasNames && (
            <span className="w-36 shrink-0 truncate text-muted max-sm:hidden">
              {line.node_id !== undefined && nameOf(line.node_id)}
            </span>
          )}
          <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{line.text}</span>
        </li>
      ))}
    </ol>
  );
}

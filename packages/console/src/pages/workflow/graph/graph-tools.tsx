import { Panel, useReactFlow } from '@xyflow/react';
import { ChevronRight, Maximize, Minus, Plus, Search } from 'lucide-react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { FIT } from './view-moves.ts';

const BAR = 'flex items-center rounded-md border border-line bg-raised p-0.5 shadow-float';

export function GraphTools({ onFind }: { readonly onFind: () => void }) {
  const { graph } = useMessages();
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className="m-3! flex gap-2">
      <div role="toolbar" aria-label={graph.view} className={BAR}>
        <IconButton
          size="sm"
          label={graph.zoomOut}
          icon={<Minus size={15} aria-hidden />}
          onClick={() => void flow.zoomOut()}
        />
        <IconButton
          size="sm"
          label={graph.zoomIn}
          icon={<Plus size={15} aria-hidden />}
          onClick={() => void flow.zoomIn()}
        />
        <IconButton
          size="sm"
          label={graph.fitView}
          icon={<Maximize size={15} aria-hidden />}
          onClick={() => void flow.fitView(FIT)}
        />
        <IconButton
          size="sm"
          label={graph.findNode}
          icon={<Search size={15} aria-hidden />}
          onClick={onFind}
        />
      </div>
    </Panel>
  );
}

interface PathProps {
  /** The path of open subgraphs, the outermost first. */
  readonly steps: readonly string[];
  readonly name: string;
  /** Returns to this depth: 0 is the whole workflow. */
  readonly onLeave: (depth: number) => void;
}

/** Breadcrumbs of nested subgraphs. */
export function SubgraphPath({ steps, name, onLeave }: PathProps) {
  const { graph } = useMessages();
  if (steps.length === 0) return null;
  const names = [name, ...steps];
  return (
    <Panel position="top-left" className="m-3! max-w-[calc(100%-24px)]">
      <nav aria-label={graph.subgraphs} className={BAR}>
        <ol className="flex min-w-0 flex-wrap items-center px-1 text-13">
          {names.map((step, depth) => (
            // oxlint-disable-next-line react/no-array-index-key -- identified by depth, because names repeat.
            <li key={depth} className="flex min-w-0 items-center">
              {depth > 0 && <ChevronRight size={14} aria-hidden className="shrink-0 text-faint" />}
              {depth === names.length - 1 ? (
                <span aria-current="page" className="max-w-60 truncate px-1.5 py-1 font-medium">
                  {step}
                </span>
              ) : (
                <button
                  type="button"
                  onClick={() => onLeave(depth)}
                  className="max-w-60 truncate rounded-sm px-1.5 py-1 text-accent hover:bg-hover"
                >
                  {step}
                </button>
              )}
            </li>
          ))}
        </ol>
      </nav>
    </Panel>
  );
}

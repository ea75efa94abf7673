import {
  ArrowRightToLine,
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  EllipsisVertical,
  LogIn,
  PackageX,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { cx } from '../../../ui/class-names.ts';
import { OpenMenu } from '../../../ui/menu.tsx';
import type { GraphNode } from './graph.ts';
import { TITLE_HEIGHT } from './node-geometry.ts';
import { type NodeState, useGraph } from './node-states.ts';

interface Props {
  readonly graphNode: GraphNode;
  readonly state: NodeState;
  readonly title: string;
}

/** The title of a node, its badges and its menu. */
export function NodeHeader({ graphNode, state: { node, live }, title }: Props) {
  const { graph } = useMessages();
  const isOpenable = graphNode.kind === 'subgraph';
  const { actions } = useGraph();
  const mode = node?.mode ?? 'run';
  return (
    <div
      className="relative flex items-center gap-1.5 rounded-t-md border-b border-line px-3 pr-1"
      style={{ height: TITLE_HEIGHT - 1 }}
    >
      <span className="min-w-0 grow truncate text-13 font-medium" title={title}>
        {title}
      </span>
      {node?.kind === 'missing' && (
        <Badge icon={<PackageX size={12} aria-hidden />} text={graph.missing} className="text-failed" />
      )}
      {mode === 'mute' && (
        <Badge icon={<Ban size={12} aria-hidden />} text={graph.muted} className="text-muted" />
      )}
      {mode === 'bypass' && (
        <Badge
          icon={<ArrowRightToLine size={12} aria-hidden />}
          text={graph.bypassed}
          className="text-waiting"
        />
      )}
      {live && live.state !== 'running' && <LiveState state={live.state} />}
      {isOpenable && (
        <button
          type="button"
          aria-label={graph.openSubgraph(title)}
          title={graph.openSubgraph(title)}
          onClick={() => actions.enter(graphNode.id)}
          className="nopan flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
        >
          <LogIn size={14} aria-hidden />
        </button>
      )}
      {node && (node.kind !== 'editor' || graphNode.kind === 'primitive') && (
        <NodeMenu
          label={graph.menuOf(title)}
          groups={[
            isOpenable
              ? [
                  {
                    label: graph.open,
                    icon: <LogIn size={14} aria-hidden />,
                    onSelect: () => actions.enter(graphNode.id),
                  },
                ]
              : [],
            [
              {
                label: mode === 'bypass' ? graph.unbypass : graph.bypass,
                icon: <ArrowRightToLine size={14} aria-hidden />,
                onSelect: () => actions.toggleMode([graphNode.runId], 'bypass'),
              },
              {
                label: mode === 'mute' ? graph.unmute : graph.mute,
                icon: <Ban size={14} aria-hidden />,
                onSelect: () => actions.toggleMode([graphNode.runId], 'mute'),
              },
            ],
          ]}
        />
      )}
    </div>
  );
}

const ICONS = {
  done: { Icon: CircleCheck, color: 'text-done' },
  cached: { Icon: CircleDashed, color: 'text-done' },
  failed: { Icon: CircleX, color: 'text-failed' },
} as const;

function LiveState({ state }: { readonly state: keyof typeof ICONS }) {
  const { graph } = useMessages();
  const { Icon, color } = ICONS[state];
  return (
    <span
      role="img"
      aria-label={graph.nodeStates[state]}
      title={graph.nodeStates[state]}
      className={cx('shrink-0', color)}
    >
      <Icon size={14} aria-hidden />
    </span>
  );
}

function Badge({
  icon,
  text,
  className,
}: {
  readonly icon: ReactNode;
  readonly text: string;
  readonly className: string;
}) {
  return (
    <span className={cx('flex shrink-0 items-center gap-1 text-12 font-medium', className)}>
      {icon}
      {text}
    </span>
  );
}

/** The menu is rendered when opened, because hundreds of nodes have one. */
function NodeMenu({
  label,
  groups,
}: {
  readonly label: string;
  readonly groups: ComponentProps<typeof OpenMenu>['groups'];
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className="nopan flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
      >
        <EllipsisVertical size={14} aria-hidden />
      </button>
      {isOpen && <OpenMenu anchor={button} groups={groups} onClose={() => setOpen(false)} />}
    </>
  );
}

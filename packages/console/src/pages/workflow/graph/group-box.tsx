import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';

import type { GraphGroup } from './graph.ts';

export type GroupNode = Node<{ readonly group: GraphGroup }, 'group'>;

/** A group: a titled area behind its nodes. */
export const GroupBox = memo(({ data: { group } }: NodeProps<GroupNode>) => {
  const color = group.color ?? 'var(--color-edge)';
  return (
    <div
      className="size-full rounded-md border"
      style={{
        borderColor: `color-mix(in oklab, ${color} 55%, var(--color-canvas))`,
        background: `color-mix(in oklab, ${color} 12%, var(--color-canvas))`,
      }}
    >
      <p className="truncate px-3 py-1.5 text-20 font-semibold text-text">{group.title}</p>
    </div>
  );
});

import { type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';

import { colorOfType } from './link-colors.ts';
import type { CardNode } from './node-card.tsx';

/** A reroute: a dot on a link. */
export const RerouteDot = memo(({ data: { node } }: NodeProps<CardNode>) => {
  const color = colorOfType(node.outputs[0]?.type ?? '*');
  return (
    <div className="flex size-full items-center justify-center">
      <span data-handleid="0" data-handlepos={Position.Left} className="target absolute top-1/2 left-1/2" />
      <span className="size-3 rounded-full" style={{ background: color }} />
      <span data-handleid="0" data-handlepos={Position.Right} className="source absolute top-1/2 left-1/2" />
    </div>
  );
});

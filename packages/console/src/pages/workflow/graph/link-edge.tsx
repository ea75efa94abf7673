import { BaseEdge, type Edge, type EdgeProps, getBezierPath, Position } from '@xyflow/react';
import { memo } from 'react';

import type { Point } from './graph.ts';
import { colorOfType } from './link-colors.ts';

export type LinkEdge = Edge<{ readonly type: string; readonly via: readonly Point[] }, 'link'>;

/** A link in the color of its type, through its reroutes. */
export const LinkLine = memo(({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<LinkEdge>) => {
  const stops = [{ x: sourceX, y: sourceY }, ...(data?.via ?? []), { x: targetX, y: targetY }];
  const color = colorOfType(data?.type ?? '*');
  const path = stops.slice(1).map((to, index) => {
    const from = stops[index] ?? to;
    const [line] = getBezierPath({
      sourceX: from.x,
      sourceY: from.y,
      sourcePosition: Position.Right,
      targetX: to.x,
      targetY: to.y,
      targetPosition: Position.Left,
    });
    return line;
  });
  return (
    <>
      <BaseEdge path={path.join(' ')} interactionWidth={0} style={{ stroke: color, strokeWidth: 2 }} />
      {data?.via.map(({ x, y }) => (
        <circle key={`${x},${y}`} cx={x} cy={y} r={5} style={{ fill: color }} />
      ))}
    </>
  );
});

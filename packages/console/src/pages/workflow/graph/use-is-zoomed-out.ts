import { type ReactFlowState, useStore } from '@xyflow/react';
import { useDeferredValue } from 'react';

/** Below this zoom the text of a node cannot be read. */
const MIN_READABLE_ZOOM = 0.4;
const isZoomedOut = ({ transform }: ReactFlowState) => transform[2] < MIN_READABLE_ZOOM;

/** Whether the graph is zoomed out. Deferred, because redrawing all values must not block zooming. */
export function useIsZoomedOut(): boolean {
  return useDeferredValue(useStore(isZoomedOut));
}

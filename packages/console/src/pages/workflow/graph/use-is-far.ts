import { type ReactFlowState, useStore } from '@xyflow/react';
import { useDeferredValue } from 'react';

/** Below this zoom the text of a node cannot be read. */
const FAR = 0.4;
const isFar = ({ transform }: ReactFlowState) => transform[2] < FAR;

/** Whether nodes are seen from afar. Drawing all their values anew must not hold up the zooming. */
export function useIsFar(): boolean {
  return useDeferredValue(useStore(isFar));
}

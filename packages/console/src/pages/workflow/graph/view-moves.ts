import type { ReactFlowInstance } from '@xyflow/react';

import type { FlowNode } from './use-flow.ts';

export const FIT = { padding: 0.08, maxZoom: 1 } as const;

const PAN_STEP = 80;
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN_STEP, 0],
  ArrowRight: [-PAN_STEP, 0],
  ArrowUp: [0, PAN_STEP],
  ArrowDown: [0, -PAN_STEP],
};

type Flow = Pick<
  ReactFlowInstance<FlowNode>,
  'getViewport' | 'setViewport' | 'zoomIn' | 'zoomOut' | 'fitView' | 'getNode' | 'setCenter'
>;

/** Moves the view by keys; whether the key was one of them. */
export function moveByKey(flow: Flow, key: string): boolean {
  const pan = PANS[key];
  if (pan) {
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + pan[0], y: y + pan[1], zoom });
  } else if (key === '+' || key === '=') void flow.zoomIn();
  else if (key === '-') void flow.zoomOut();
  else if (key === '.' || key === '0') void flow.fitView(FIT);
  else return false;
  return true;
}

/** Brings a node to the middle, near enough to be read. */
export async function goToNode(flow: Flow, id: string): Promise<void> {
  const node = flow.getNode(id);
  if (!node) return;
  const { x, y } = node.position;
  const zoom = Math.max(flow.getViewport().zoom, 0.9);
  await flow.setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom });
}

import type { ReactFlowInstance } from '@xyflow/react';

import type { FlowNode } from './use-flow.ts';

export const FIT = { padding: 0.08, maxZoom: 1 } as const;

const NARROW = 640;
const NEAR = 0.9;
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

/** Where little is to be seen at once, one begins at the first node, near enough to be read. */
export function beginNear(flow: Flow, nodes: readonly FlowNode[]): void {
  if (innerWidth >= NARROW || flow.getViewport().zoom >= 0.4) return;
  const places = nodes.map(({ position }) => position);
  const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
  void flow.setViewport({ x: 16 - left * NEAR, y: 72 - top * NEAR, zoom: NEAR });
}

/** Brings a node to the middle, near enough to be read. */
export async function goToNode(flow: Flow, id: string): Promise<void> {
  const node = flow.getNode(id);
  if (!node) return;
  const { x, y } = node.position;
  const zoom = Math.max(flow.getViewport().zoom, NEAR);
  await flow.setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom });
}

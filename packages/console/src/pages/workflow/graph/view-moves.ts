import type { ReactFlowInstance } from '@xyflow/react';

import type { FlowNode } from './use-flow.ts';

export const FIT = { padding: 0.08, maxZoom: 1 } as const;

const NARROW = 640;
const NEAR = 0.9;
/** Below this, values can hardly be read. */
const READABLE = 0.5;
const MARGIN = 24;
/** Of the bar with the Run button. */
const TOP = 64;
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

/** A graph that is too large to be read as a whole begins at its first nodes. Whether it is. */
export function beginNear(flow: Flow, nodes: readonly FlowNode[], canvasHeight: number): boolean {
  if (flow.getViewport().zoom >= READABLE) return false;
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const height = Math.max(...nodes.map((node) => node.position.y + (node.height ?? 0))) - top;
  const room = canvasHeight - TOP - MARGIN;
  const zoom = innerWidth < NARROW ? NEAR : Math.min(NEAR, Math.max(READABLE, room / height));
  const spare = Math.max(0, room - height * zoom) / 2;
  void flow.setViewport({ x: MARGIN - left * zoom, y: TOP + spare - top * zoom, zoom });
  return true;
}

/** Brings a node to the middle, near enough to be read. */
export async function goToNode(flow: Flow, id: string): Promise<void> {
  const node = flow.getNode(id);
  if (!node) return;
  const { x, y } = node.position;
  const zoom = Math.max(flow.getViewport().zoom, NEAR);
  await flow.setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom });
}

import type { ReactFlowInstance } from '@xyflow/react';

import type { FlowNode } from './use-flow.ts';

export const FIT = { padding: 0.08, maxZoom: 1 } as const;

const NARROW_WIDTH = 640;
const DEFAULT_ZOOM = 0.9;
/** Below this, values can hardly be read. */
const MIN_READABLE_ZOOM = 0.5;
const MARGIN = 24;
/** The height of the bar with the Run button. */
const TOP_BAR_HEIGHT = 64;
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

/** Moves the view by keys. Returns whether the key was handled. */
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

/** Shows the first nodes of a graph that is too large to read as a whole. Returns whether it is. */
export function zoomToStart(flow: Flow, nodes: readonly FlowNode[], canvasHeight: number): boolean {
  if (flow.getViewport().zoom >= MIN_READABLE_ZOOM) return false;
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const height = Math.max(...nodes.map((node) => node.position.y + (node.height ?? 0))) - top;
  const room = canvasHeight - TOP_BAR_HEIGHT - MARGIN;
  const zoom =
    innerWidth < NARROW_WIDTH
      ? DEFAULT_ZOOM
      : Math.min(DEFAULT_ZOOM, Math.max(MIN_READABLE_ZOOM, room / height));
  const spare = Math.max(0, room - height * zoom) / 2;
  void flow.setViewport({ x: MARGIN - left * zoom, y: TOP_BAR_HEIGHT + spare - top * zoom, zoom });
  return true;
}

/** Centers a node at a readable zoom. */
export async function goToNode(flow: Flow, id: string): Promise<void> {
  const node = flow.getNode(id);
  if (!node) return;
  const { x, y } = node.position;
  const zoom = Math.max(flow.getViewport().zoom, DEFAULT_ZOOM);
  await flow.setCenter(x + (node.width ?? 0) / 2, y + (node.height ?? 0) / 2, { zoom });
}

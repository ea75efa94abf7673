import type { Widget, WorkflowNode } from '../document/workflow-nodes.ts';
import type { GraphNode } from './graph.ts';
import { widgetKind } from './widget-kind.ts';

/**
 * The layout of a node. Rows are as high as in ComfyUI's own editor, so that nodes fit where their authors put them. Because
 * everything is computed, nodes outside the view need not be drawn to know where their links end.
 */
export const TITLE_HEIGHT = 30;
const SOCKET_HEIGHT = 20;
export const WIDGET_HEIGHT = 24;
const TEXT_HEIGHT = 64;
const MEDIA_HEIGHT = 112;
const OUTPUT_HEIGHT = 140;
const PADDING = 4;
const DEFAULT_WIDTH = 260;
const MIN_WIDTH = 140;
const MAX_SIDE = 4000;
export const REROUTE_SIZE = 24;

export interface WidgetRow {
  readonly widget: Widget;
  readonly top: number;
  readonly height: number;
  /** The index of its socket among the inputs; -1 without one. */
  readonly slot: number;
}

export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** Of sockets, from the top of the node. */
  readonly inputTops: readonly number[];
  readonly outputTops: readonly number[];
  readonly widgets: readonly WidgetRow[];
  /** The area for the node's pictures and texts; `undefined` if it shows none. */
  readonly output: { readonly top: number; readonly height: number } | undefined;
}

interface Content {
  readonly node: WorkflowNode | undefined;
  /** It shows pictures or texts, or will. */
  readonly isShowing: boolean;
}

export function geometryOf(graphNode: GraphNode, { node, isShowing }: Content): Geometry {
  const { kind, inputs, outputs, isCollapsed } = graphNode;
  if (kind === 'reroute') return single(REROUTE_SIZE, REROUTE_SIZE, graphNode);
  const width = Math.round(
    Math.min(MAX_SIDE, Math.max(MIN_WIDTH, graphNode.width > 0 ? graphNode.width : DEFAULT_WIDTH)),
  );
  if (isCollapsed) return single(width, TITLE_HEIGHT, graphNode);

  const widgets = node?.widgets ?? [];
  const names = new Set(widgets.map(({ name }) => name));
  const isBeside = (index: number) =>
    names.has(inputs[index]?.widget ?? '') || names.has(inputs[index]?.name ?? '');
  const lines = inputs.filter((_, index) => !isBeside(index)).length;
  const socketsTop = TITLE_HEIGHT + PADDING;
  const widgetsTop =
    socketsTop + Math.max(lines, outputs.length) * SOCKET_HEIGHT + (widgets.length > 0 ? 2 : 0);
  const hasControls = node?.kind !== 'subgraph';
  const heights = widgets.map((widget) => heightOf(widget, hasControls));
  const isText = kind === 'note';
  const least =
    widgetsTop + sum(heights) + (isText ? TEXT_HEIGHT : 0) + (isShowing ? OUTPUT_HEIGHT : 0) + PADDING;
  const height = Math.round(
    Math.min(MAX_SIDE, Math.max(least, graphNode.height > 0 ? graphNode.height + TITLE_HEIGHT : 0)),
  );

  // Remaining space goes to the output, else to texts and pictures.
  const growing = widgets.filter(isGrowing).length;
  const extra = isShowing || isText || growing === 0 ? 0 : Math.floor((height - least) / growing);
  let top = widgetsTop;
  const rows = widgets.map((widget, index): WidgetRow => {
    const own = heights[index] ?? WIDGET_HEIGHT;
    const row = {
      widget,
      top,
      height: isGrowing(widget) ? own + extra : own,
      slot: inputs.findIndex((input) => input.widget === widget.name || input.name === widget.name),
    };
    top += row.height;
    return row;
  });
  let line = 0;
  const inputTops = inputs.map((_, slot) => {
    const row = rows.find((each) => each.slot === slot);
    if (row) return row.top + WIDGET_HEIGHT / 2;
    line += 1;
    return socketsTop + (line - 0.5) * SOCKET_HEIGHT;
  });
  return {
    width,
    height,
    inputTops,
    outputTops: outputs.map((_, index) => socketsTop + (index + 0.5) * SOCKET_HEIGHT),
    widgets: rows,
    output: isShowing || isText ? { top, height: height - top - PADDING } : undefined,
  };
}

function heightOf(widget: Widget, hasControls: boolean): number {
  if (isGrowing(widget))
    return widgetKind(widget.input) === 'multiline' ? TEXT_HEIGHT : WIDGET_HEIGHT + MEDIA_HEIGHT;
  const hasControl = hasControls && widget.control !== undefined && !widget.isLinked;
  return hasControl ? 2 * WIDGET_HEIGHT : WIDGET_HEIGHT;
}

const GROWING = new Set(['multiline', 'image', 'video', 'audio']);

function isGrowing({ input, isLinked }: Widget): boolean {
  return !isLinked && GROWING.has(widgetKind(input));
}

/** All links end in the middle. */
function single(width: number, height: number, { inputs, outputs }: GraphNode): Geometry {
  return {
    width,
    height,
    inputTops: inputs.map(() => height / 2),
    outputTops: outputs.map(() => height / 2),
    widgets: [],
    output: undefined,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

import type { GraphLink, Point } from './graph.ts';

interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

const COLUMN_GAP = 80;
const ROW_GAP = 32;
const SWEEPS = 6;

/**
 * Places nodes in columns, so that links go from left to right: each node is one column before the first that needs it. Within a column,
 * nodes are near those that they are linked to.
 */
export function layeredLayout(
  boxes: readonly Box[],
  links: readonly Pick<GraphLink, 'from' | 'to'>[],
): ReadonlyMap<string, Point> {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const after = neighbors(boxes, links, 'from', 'to');
  const before = neighbors(boxes, links, 'to', 'from');
  const columns = toColumns(boxes, after);
  const order = new Map<string, number>();
  const note = (column: readonly string[]) => column.forEach((id, index) => order.set(id, index));
  columns.forEach(note);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const near = isForward ? before : after;
    for (const column of isForward ? columns : columns.toReversed()) {
      const weight = new Map(
        column.map((id) => [
          id,
          average((near.get(id) ?? []).map((other) => order.get(other) ?? 0)) ?? order.get(id) ?? 0,
        ]),
      );
      column.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0));
      note(column);
    }
  }
  return place(columns, byId, before);
}

function neighbors(
  boxes: readonly Box[],
  links: readonly Pick<GraphLink, 'from' | 'to'>[],
  of: 'from' | 'to',
  to: 'from' | 'to',
): ReadonlyMap<string, string[]> {
  const found = new Map(boxes.map(({ id }) => [id, [] as string[]]));
  for (const link of links) if (found.has(link[to])) found.get(link[of])?.push(link[to]);
  return found;
}

/** The longest path to an end counts. Links that close a cycle are ignored. */
function toColumns(boxes: readonly Box[], after: ReadonlyMap<string, readonly string[]>): string[][] {
  const depth = new Map<string, number>();
  for (const { id: root } of boxes) {
    const open = new Set<string>();
    const stack = [root];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      const next = after.get(id) ?? [];
      const waiting = open.has(id) ? [] : next.filter((other) => !depth.has(other) && !open.has(other));
      open.add(id);
      if (waiting.length > 0) stack.push(...waiting);
      else {
        if (!depth.has(id)) depth.set(id, Math.max(-1, ...next.map((other) => depth.get(other) ?? -1)) + 1);
        stack.pop();
      }
    }
  }
  const last = Math.max(0, ...depth.values());
  const columns: string[][] = Array.from({ length: last + 1 }, () => []);
  for (const { id } of boxes) columns[last - (depth.get(id) ?? 0)]?.push(id);
  return columns;
}

function place(
  columns: readonly (readonly string[])[],
  byId: ReadonlyMap<string, Box>,
  before: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>();
  let x = 0;
  for (const column of columns) {
    let y = Number.NEGATIVE_INFINITY;
    for (const id of column) {
      const wanted = average((before.get(id) ?? []).map((other) => places.get(other)?.y ?? 0)) ?? 0;
      y = Math.max(y, wanted);
      places.set(id, { x, y });
      y += (byId.get(id)?.height ?? 0) + ROW_GAP;
    }
    x += Math.max(0, ...column.map((id) => byId.get(id)?.width ?? 0)) + COLUMN_GAP;
  }
  return places;
}

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

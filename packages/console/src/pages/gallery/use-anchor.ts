import { useLayoutEffect, useRef } from 'react';

import { type GalleryRow, rowOf } from './justified-rows.ts';

/** The sticky title line above the rows. */
export const TITLE_HEIGHT = 64;

interface AnchorOptions {
  readonly rows: readonly GalleryRow[];
  readonly margin: number;
  readonly measure: () => void;
}

/** Keeps the visible rows in place when rows above them change. */
export function useAnchor({ rows, margin, measure }: AnchorOptions): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    if (old === rows) return;
    before.current = rows;
    const top = scrollY - margin;
    const row = old.find((one) => one.kind === 'tiles' && one.top + one.height > top + TITLE_HEIGHT);
    measure();
    if (row?.kind !== 'tiles' || top <= 0) return;
    const next = rows[rowOf(rows, row.first)];
    if (next && next.top !== row.top) scrollBy(0, next.top - row.top);
  }, [rows, margin, measure]);
}

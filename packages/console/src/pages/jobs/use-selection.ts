import { useState } from 'react';

/** The selected rows, and how clicks and keys change the selection. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** The start of a range. */
  const [anchor, setAnchor] = useState<string>();
  // Rows hidden by a filter or a deletion are excluded from actions.
  const selected = new Set(ids.filter((id) => chosen.has(id)));
  return {
    selected,
    toggle(id: string): void {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
      setAnchor(id);
    },
    /** Selects everything from the last row that was chosen to this one. */
    extendTo(id: string): void {
      const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)].toSorted((a, b) => a - b);
      setChosen(new Set([...selected, ...ids.slice(Math.max(0, from ?? 0), (to ?? 0) + 1)]));
      setAnchor(anchor ?? id);
    },
    all: () => setChosen(new Set(ids)),
    clear: () => setChosen(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;

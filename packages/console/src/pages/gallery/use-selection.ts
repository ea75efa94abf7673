import type { Asset } from '@atelier/sdk';
import { useCallback, useMemo, useState } from 'react';

export type Selection = ReturnType<typeof useSelection>;

/** The selected items by id. The selection survives scrolling and filtering. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Asset>>(new Map());
  const toggle = useCallback((asset: Asset) => {
    setChosen((before) => {
      const next = new Map(before);
      if (!next.delete(asset.id)) next.set(asset.id, asset);
      return next;
    });
  }, []);
  const add = useCallback((assets: readonly Asset[]) => {
    setChosen((before) => new Map([...before, ...assets.map((asset) => [asset.id, asset] as const)]));
  }, []);
  const remove = useCallback((ids: readonly string[]) => {
    setChosen((before) => {
      const next = new Map(before);
      for (const id of ids) next.delete(id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Map()), []);
  return useMemo(() => ({ chosen, toggle, add, remove, clear }), [chosen, toggle, add, remove, clear]);
}

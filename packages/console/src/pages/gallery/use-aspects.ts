import { useCallback, useRef, useState } from 'react';

const BATCH_MS = 80;

/** Aspect ratios of loaded pictures and videos that the server has not measured yet. */
export function useAspects() {
  const [aspects, setAspects] = useState<ReadonlyMap<string, number>>(new Map());
  const waiting = useRef(new Map<string, number>());
  const onAspect = useCallback((id: string, aspect: number) => {
    // Sizes that arrive together are laid out together.
    if (waiting.current.size === 0) {
      setTimeout(() => {
        const found = waiting.current;
        waiting.current = new Map();
        setAspects((before) => new Map([...before, ...found]));
      }, BATCH_MS);
    }
    waiting.current.set(id, aspect);
  }, []);
  return { aspects, onAspect };
}

import { useCallback, useRef, useState } from 'react';

const TOGETHER_MS = 80;

/** What pictures and videos tell of themselves once they are loaded, where the server does not know it yet. */
export function useAspects() {
  const [aspects, setAspects] = useState<ReadonlyMap<string, number>>(new Map());
  const waiting = useRef(new Map<string, number>());
  const onAspect = useCallback((id: string, aspect: number) => {
    // Those that come at once are laid out at once.
    if (waiting.current.size === 0) {
      setTimeout(() => {
        const found = waiting.current;
        waiting.current = new Map();
        setAspects((before) => new Map([...before, ...found]));
      }, TOGETHER_MS);
    }
    waiting.current.set(id, aspect);
  }, []);
  return { aspects, onAspect };
}

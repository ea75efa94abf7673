import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What was given at the last rendering, for functions that stay the same. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

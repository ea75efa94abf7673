import { useState } from 'react';

import type { Values } from './build-request.ts';

/** The chosen values of a tool. They survive a reload. */
export function useStoredValues(name: string): readonly [Values, (values: Values) => void] {
  const key = `atelier.studio.${name}`;
  const [state, setState] = useState<Readonly<Record<string, Values>>>({});
  const values = state[key] ?? read(key);
  return [
    values,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setState({ ...state, [key]: next });
    },
  ];
}

function read(key: string): Values {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Values) : {};
  } catch {
    return {};
  }
}

import type { Machine } from './machine.ts';
import { isKind, type Value } from './values.ts';

const LONGEST_TEXT = 1000;

interface Items {
  readonly items: readonly Value[];
  readonly doubts: number;
}

/** What a loop goes over; `undefined` where that is not known. */
export function iterate(machine: Machine, value: Value): Items | undefined {
  if (isKind(value, 'list')) {
    machine.step(value.items.length);
    return { items: [...value.items], doubts: value.doubts };
  }
  if (isKind(value, 'dict')) {
    machine.step(value.entries.size);
    return { items: [...value.entries.keys()], doubts: value.doubts };
  }
  return typeof value === 'string' && value.length <= LONGEST_TEXT
    ? { items: Array.from(value), doubts: 0 }
    : undefined;
}

import type { Machine } from './machine.ts';
import { isKind, type Value } from './values.ts';

const MAX_TEXT_LENGTH = 1000;

interface Items {
  readonly items: readonly Value[];
  readonly gaps: number;
}

export function iterate(machine: Machine, value: Value): Items | undefined {
  if (isKind(value, 'list')) {
    machine.step(value.items.length);
    return { items: [...value.items], gaps: value.gaps };
  }
  if (isKind(value, 'dict')) {
    machine.step(value.entries.size);
    return { items: [...value.entries.keys()], gaps: value.gaps };
  }
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
    ? { items: Array.from(value), gaps: 0 }
    : undefined;
}

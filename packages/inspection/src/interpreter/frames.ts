import type { Machine } from './machine.ts';
import { external, type Frame, join, type Value } from './values.ts';

/** What a name stands for in a frame; what nothing defines is of the language or came with a star. */
export function lookUpName(frame: Frame, name: string): Value {
  for (let here: Frame | undefined = frame; here; here = here.parent) {
    // The names of a class body are not seen from inside its methods.
    if (here.kind === 'class' && here !== frame) continue;
    const value = here.names.get(name);
    if (value !== undefined) return value;
  }
  return external(`builtins.${name}`);
}

export function bindName(machine: Machine, frame: Frame, name: string, value: Value): void {
  const { names, born } = frame.outer.has(name) ? ownerOf(frame, name) : frame;
  names.set(name, machine.isMaybe(born) ? join(names.get(name), value, machine.region) : value);
}

export function moduleFrame(frame: Frame): Frame {
  let here = frame;
  while (here.parent) here = here.parent;
  return here;
}

function ownerOf(frame: Frame, name: string): Frame {
  for (let here = frame.parent; here; here = here.parent) {
    if (here.kind !== 'class' && here.names.has(name)) return here;
  }
  return moduleFrame(frame);
}

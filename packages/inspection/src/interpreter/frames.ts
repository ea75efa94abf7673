import type { Machine } from './machine.ts';
import { external, type Frame, join, type Value } from './values.ts';

/** The value of a name. A name without a definition is built in, or came with a star import. */
export function lookUpName(frame: Frame, name: string): Value {
  for (let here: Frame | undefined = frame; here; here = here.parent) {
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

import { createFrame, Exhausted, type Interpreter } from './machine.ts';
import { type ClassValue, type Frame, isKind, type Value } from './values.ts';

const STEPS = 20_000;

/** The member of a class, or of the first of its bases in the pack that has it. */
export function memberOf(
  it: Interpreter,
  owner: ClassValue,
  name: string,
  seen = new Set<ClassValue>(),
): Value | undefined {
  if (seen.has(owner)) return undefined;
  seen.add(owner);
  const own = owner.attributes.get(name) ?? bodyOf(it, owner).names.get(name);
  return own ?? inheritedOf(it, owner, name, seen);
}

export function inheritedOf(
  it: Interpreter,
  owner: ClassValue,
  name: string,
  seen = new Set<ClassValue>([owner]),
): Value | undefined {
  for (const base of owner.bases) {
    const found = isKind(base, 'class') ? memberOf(it, base, name, seen) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Class bodies run when one of their members is needed: of most, none is. */
function bodyOf(it: Interpreter, owner: ClassValue): Frame {
  if (owner.body) return owner.body;
  const { frame: parent, definition } = owner;
  return it.machine.apart(STEPS, () => {
    const body = createFrame(it.machine, { kind: 'class', file: parent.file, parent, owner });
    owner.body = body;
    try {
      it.machine.deeper(() => it.run(definition.body, body));
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      body.isCut = true;
    }
    return body;
  });
}

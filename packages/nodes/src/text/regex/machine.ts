import { LimitError } from '@atelier/engine';
import type { LoopStep, Program, RepeatStep, Step, Takes } from './program.ts';

/** What to do when the current try fails: restore a register, or go on elsewhere. */
type Entry =
  | { readonly register: number; readonly value: number }
  | { readonly step: Step; readonly position: number }
  /** A repetition ends one character sooner, but not before `least`, or takes up to `more` characters. */
  | { readonly shrink: RepeatStep; readonly least: number; readonly position: number }
  | { readonly grow: RepeatStep; readonly more: number; readonly position: number };

/** About 200 MB. Python is limited by memory only. */
const MAX_STACK = 1 << 22;
const STEPS_BETWEEN_TICKS = 1 << 15;

/** Runs a program over the code points of a text. `tick` is called regularly and may throw. */
export function createMachine(program: Program, text: Int32Array, tick: () => void) {
  /** Start and end of each group after a match; -1 for a group that took no part. */
  const registers = new Int32Array(program.registers);
  const stack: Entry[] = [];
  let steps = 0;

  function count(more: number): void {
    steps += more;
    if (steps < STEPS_BETWEEN_TICKS) return;
    steps = 0;
    if (stack.length > MAX_STACK) {
      throw new LimitError('The regular expression needs too much memory for this text.');
    }
    tick();
  }

  function valueOf(register: number): number {
    return registers[register] as number;
  }

  function setRegister(register: number, value: number): void {
    stack.push({ register, value: valueOf(register) });
    registers[register] = value;
  }

  function isTaken(takes: Takes, position: number): boolean {
    return position < text.length && takes(text[position] as number);
  }

  /** The end of the repetitions of a character. */
  function repeatedUntil(takes: Takes, from: number, max: number): number {
    let position = from;
    while (position - from < max && isTaken(takes, position)) position += 1;
    count(position - from);
    return position;
  }

  function hasMatched(group: number): boolean {
    return valueOf(2 * group) >= 0 && valueOf(2 * group + 1) >= valueOf(2 * group);
  }

  /** The end of a repetition of the text of a group, or -1. */
  function afterReference({ group, fold }: Step & { op: 'reference' }, from: number): number {
    if (!hasMatched(group)) return -1;
    const start = valueOf(2 * group);
    const size = valueOf(2 * group + 1) - start;
    if (from + size > text.length) return -1;
    count(size);
    for (let index = 0; index < size; index += 1) {
      if (fold(text[start + index] as number) !== fold(text[from + index] as number)) return -1;
    }
    return from + size;
  }

  /** Undoes everything since the stack had this height. */
  function unwind(to: number): void {
    while (stack.length > to) {
      const entry = stack.pop() as Entry;
      if ('register' in entry) registers[entry.register] = entry.value;
    }
  }

  /** Drops the choices above a height, but keeps what must be undone. */
  function dropChoices(from: number): void {
    const undos = stack.splice(from).filter((entry) => 'register' in entry);
    for (const undo of undos) stack.push(undo);
  }

  /** Whether a look-ahead or look-behind holds here. */
  function holds({ body, behind, negated }: Step & { op: 'look' }, position: number): boolean {
    const before = stack.length;
    const isFound = position >= behind && run(body, position - behind, -1) !== -1;
    if (isFound && !negated) dropChoices(before);
    else unwind(before);
    return isFound !== negated;
  }

  /** An iteration that took nothing is the last one, or the loop would never end. */
  function mayTurn({ register, max }: LoopStep, position: number): boolean {
    return valueOf(register) < max && valueOf(register + 1) !== position;
  }

  function turn({ register, body }: LoopStep, position: number): Step {
    setRegister(register, valueOf(register) + 1);
    setRegister(register + 1, position);
    return body;
  }

  /** The end of a match from this step on, or -1. */
  function run(first: Step, start: number, forbidden: number): number {
    const base = stack.length;
    let step: Step | undefined = first;
    let position = start;
    for (;;) {
      count(1);
      // Without a step the try has failed.
      switch (step?.op) {
        case 'match':
          if (position !== forbidden) return position;
          step = undefined;
          break;
        case 'take':
          step = isTaken(step.takes, position) ? step.next : undefined;
          position += 1;
          break;
        case 'place':
          step = step.isAt(text, position) ? step.next : undefined;
          break;
        case 'choice':
          for (let index = step.branches.length - 1; index > 0; index -= 1)
            stack.push({ step: step.branches[index] as Step, position });
          step = step.branches[0];
          break;
        case 'save':
          setRegister(step.register, position);
          step = step.next;
          break;
        case 'reference':
          position = afterReference(step, position);
          step = position < 0 ? undefined : step.next;
          break;
        case 'condition':
          step = hasMatched(step.group) ? step.yes : step.no;
          break;
        case 'repeat': {
          const end = repeatedUntil(step.takes, position, step.lazy ? step.min : step.max);
          const least = position + step.min;
          position = end;
          if (end < least) step = undefined;
          else {
            if (step.lazy) stack.push({ grow: step, more: step.max - step.min, position });
            else if (end > least) stack.push({ shrink: step, least, position });
            step = step.next;
          }
          break;
        }
        case 'enter':
          setRegister(step.register, 0);
          setRegister(step.register + 1, -1);
          step = step.next;
          break;
        case 'loop':
          if (valueOf(step.register) < step.min) {
            setRegister(step.register, valueOf(step.register) + 1);
            step = step.body;
          } else if (step.lazy) {
            stack.push({ step: { op: 'turn', loop: step }, position });
            step = step.next;
          } else if (mayTurn(step, position)) {
            stack.push({ step: step.next, position });
            step = turn(step, position);
          } else step = step.next;
          break;
        case 'turn':
          step = mayTurn(step.loop, position) ? turn(step.loop, position) : undefined;
          break;
        case 'atomic': {
          const before = stack.length;
          position = run(step.body, position, -1);
          if (position >= 0) dropChoices(before);
          step = position < 0 ? undefined : step.next;
          break;
        }
        case 'look':
          step = holds(step, position) ? step.next : undefined;
          break;
        case undefined: {
          if (stack.length === base) return -1;
          const entry = stack.pop() as Entry;
          if ('register' in entry) {
            registers[entry.register] = entry.value;
            break;
          }
          position = entry.position;
          if ('step' in entry) step = entry.step;
          else if ('shrink' in entry) {
            position -= 1;
            if (position > entry.least) stack.push({ ...entry, position });
            step = entry.shrink.next;
          } else if (entry.more > 0 && isTaken(entry.grow.takes, position)) {
            position += 1;
            stack.push({ grow: entry.grow, more: entry.more - 1, position });
            step = entry.grow.next;
          }
        }
      }
    }
  }

  const begins = beginning(program.start);
  // A failed match leaves the registers as they were, a successful one leaves its groups.
  let isUsed = true;

  return {
    registers,
    /** The end of a match that starts here, or -1. An end at `forbidden` does not count. */
    matchAt(start: number, forbidden: number): number {
      count(1);
      if (begins && !isTaken(begins, start)) return -1;
      if (isUsed) registers.fill(-1);
      stack.length = 0;
      const end = run(program.start, start, forbidden);
      isUsed = end !== -1;
      return end;
    },
  };
}

/** The test of the first character, if there must be one. It makes searching long texts faster. */
function beginning(step: Step): Takes | undefined {
  if (step.op === 'take' || (step.op === 'repeat' && step.min > 0)) return step.takes;
  return step.op === 'save' || step.op === 'enter' ? beginning(step.next) : undefined;
}

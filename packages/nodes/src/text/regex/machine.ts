import { NodeError } from '@atelier/engine';
import { asciiLower, type CharacterSet, isWord, lowerCode } from './character-set.ts';
import { OP, PLACES, type Program, SIZE, UNBOUNDED } from './program.ts';

/** What the stack holds: four numbers an entry. */
const ENTRY = 4;
/** Sets a register back: register, value. */
const UNDO = 0;
/** Goes on elsewhere: instruction, position. */
const CHOICE = 1;
/** Gives up characters of a repetition: its instruction, least position, position. */
const SHRINK = 2;
/** Takes one more character for a repetition: its instruction, position, how many more it may take. */
const GROW = 3;

/** 128 MB; Python's own limit is the memory. */
const MAX_STACK = 1 << 25;
const STEPS_BETWEEN_TICKS = 1 << 15;

export interface Machine {
  /** Where a match that starts here ends, or -1. An end at `forbidden` does not count. */
  matchAt(start: number, forbidden: number): number;
  /** Whether a one-character instruction of the program takes the character. */
  takes(pc: number, character: number): boolean;
  /** Start and end of each group after a match, -1 for those without part in it. */
  readonly registers: Int32Array;
}

/** Runs a program over the code points of a text. `tick` is called every so often and may throw. */
export function createMachine(program: Program, text: Int32Array, tick: () => void): Machine {
  const { code, sets } = program;
  const length = text.length;
  const registers = new Int32Array(program.registers);
  let stack = new Int32Array(1024);
  let height = 0;
  let steps = 0;

  function push(tag: number, a: number, b: number, c: number): void {
    if (height + ENTRY > stack.length) grow();
    stack[height] = tag;
    stack[height + 1] = a;
    stack[height + 2] = b;
    stack[height + 3] = c;
    height += ENTRY;
  }

  function grow(): void {
    if (stack.length >= MAX_STACK) {
      throw new NodeError('OOMError', 'The regular expression needs too much memory for this text.');
    }
    const larger = new Int32Array(stack.length * 2);
    larger.set(stack);
    stack = larger;
  }

  function setRegister(register: number, value: number): void {
    push(UNDO, register, registers[register] ?? -1, 0);
    registers[register] = value;
  }

  /** Whether the one-character instruction takes the character. */
  function takes(pc: number, character: number): boolean {
    const operation: number = code[pc] ?? 0;
    switch (operation) {
      case OP.character:
        return character === code[pc + 1];
      case OP.any:
        return true;
      case OP.anyButNewline:
        return character !== 10;
      case OP.set:
        return isIn(sets[code[pc + 1] ?? 0], character);
      default:
        return isIn(sets[code[pc + 1] ?? 0], lowerCode(character));
    }
  }

  function isIn(set: CharacterSet | undefined, character: number): boolean {
    if (set === undefined) return false;
    return character < 128 ? set.ascii[character] === 1 : set.has(character);
  }

  /** Whether an instruction that only looks at one position holds there; -1 always does. */
  function holds(pc: number, position: number): boolean {
    if (pc === -1) return true;
    if (code[pc] === OP.place) return isAt(code[pc + 1] ?? 0, position, code[pc + 2] === 1);
    return position < length && takes(pc, text[position] ?? 0);
  }

  /** How far the one-character instruction can be repeated. */
  function repeatedUntil(pc: number, from: number, max: number): number {
    const limit = max === UNBOUNDED ? length : Math.min(length, from + max);
    if (code[pc] === OP.any) return Math.max(from, limit);
    let position = from;
    while (position < limit && takes(pc, text[position] ?? 0)) position += 1;
    count(position - from);
    return position;
  }

  /** Goes back over ends of a repetition after which the pattern cannot go on; below `least` there is none. */
  function lastEnd(pc: number, least: number, from: number): number {
    let end = from;
    while (end >= least && !holds(code[pc + 3] ?? -1, end)) end -= 1;
    count(from - end);
    return end;
  }

  function count(more: number): void {
    steps += more;
    if (steps < STEPS_BETWEEN_TICKS) return;
    steps = 0;
    tick();
  }

  function isAt(place: number, position: number, ascii: boolean): boolean {
    const name = PLACES[place] ?? 'start';
    switch (name) {
      case 'start':
        return position === 0;
      case 'lineStart':
        return position === 0 || text[position - 1] === 10;
      case 'end':
        return position === length;
      case 'endOrNewline':
        return position === length || (position === length - 1 && text[position] === 10);
      case 'lineEnd':
        return position === length || text[position] === 10;
      case 'boundary':
      case 'notBoundary': {
        // Nothing, not even the absence of a boundary, is found in an empty text.
        if (length === 0) return false;
        const before = position > 0 && isWord(text[position - 1] ?? 0, ascii);
        const after = position < length && isWord(text[position] ?? 0, ascii);
        return (before !== after) === (name === 'boundary');
      }
    }
  }

  function hasMatched(group: number): boolean {
    const start = registers[2 * group] ?? -1;
    return start >= 0 && (registers[2 * group + 1] ?? -1) >= start;
  }

  /** Where the text ends that repeats what a group matched, or -1. */
  function afterReference(group: number, from: number, mode: number): number {
    if (!hasMatched(group)) return -1;
    const start = registers[2 * group] ?? 0;
    const size = (registers[2 * group + 1] ?? 0) - start;
    if (from + size > length) return -1;
    count(size);
    for (let index = 0; index < size; index += 1) {
      const a = text[start + index] ?? 0;
      const b = text[from + index] ?? 0;
      if (a === b) continue;
      if (mode === 0 || (mode === 2 ? asciiLower(a) !== asciiLower(b) : lowerCode(a) !== lowerCode(b)))
        return -1;
    }
    return from + size;
  }

  /** Forgets the choices above a height, but not what has to be undone. */
  function dropChoices(from: number): void {
    let kept = from;
    for (let entry = from; entry < height; entry += ENTRY) {
      if (stack[entry] !== UNDO) continue;
      stack.copyWithin(kept, entry, entry + ENTRY);
      kept += ENTRY;
    }
    height = kept;
  }

  function unwind(to: number): void {
    while (height > to) {
      height -= ENTRY;
      if (stack[height] === UNDO) registers[stack[height + 1] ?? 0] = stack[height + 2] ?? -1;
    }
  }

  /** A look ahead or behind: whether it holds here. */
  function looks(pc: number, position: number): boolean {
    const behind = code[pc + 2] ?? -1;
    const negated = code[pc + 3] === 1;
    const from = behind > 0 ? position - behind : position;
    const before = height;
    const found = from >= 0 && run(pc + SIZE, from, -1) !== -1;
    if (found && !negated) dropChoices(before);
    else unwind(before);
    return found !== negated;
  }

  function run(startPc: number, start: number, forbidden: number): number {
    const base = height;
    let pc = startPc;
    let position = start;
    for (;;) {
      count(1);
      let failed = false;
      const operation: number = code[pc] ?? 0;
      switch (operation) {
        case OP.match:
          if (position !== forbidden) return position;
          failed = true;
          break;
        case OP.jump:
          pc = code[pc + 1] ?? 0;
          break;
        case OP.split:
          push(CHOICE, code[pc + 1] ?? 0, position, 0);
          pc += SIZE;
          break;
        case OP.save:
          setRegister(code[pc + 1] ?? 0, position);
          pc += SIZE;
          break;
        case OP.place:
          failed = !isAt(code[pc + 1] ?? 0, position, code[pc + 2] === 1);
          pc += SIZE;
          break;
        case OP.reference: {
          const end = afterReference(code[pc + 1] ?? 0, position, code[pc + 2] ?? 0);
          failed = end === -1;
          position = end;
          pc += SIZE;
          break;
        }
        case OP.condition:
          pc = hasMatched(code[pc + 1] ?? 0) ? pc + SIZE : (code[pc + 2] ?? 0);
          break;
        case OP.loopStart: {
          const loop = code[pc + 1] ?? 0;
          setRegister(loop, 0);
          setRegister(loop + 1, -1);
          pc += SIZE;
          break;
        }
        case OP.loop: {
          const loop = code[pc + 1] ?? 0;
          const turns = registers[loop] ?? 0;
          if (turns < (code[pc + 2] ?? 0)) {
            setRegister(loop, turns + 1);
            pc += SIZE;
          } else if (mayTurn(loop, turns, code[pc + 3] ?? 0, position)) {
            push(CHOICE, code[pc + 4] ?? 0, position, 0);
            setRegister(loop, turns + 1);
            setRegister(loop + 1, position);
            pc += SIZE;
          } else {
            pc = code[pc + 4] ?? 0;
          }
          break;
        }
        case OP.lazyLoop: {
          const loop = code[pc + 1] ?? 0;
          const turns = registers[loop] ?? 0;
          if (turns < (code[pc + 2] ?? 0)) {
            setRegister(loop, turns + 1);
            pc += 2 * SIZE;
          } else {
            push(CHOICE, pc + SIZE, position, 0);
            pc = code[pc + 4] ?? 0;
          }
          break;
        }
        case OP.lazyTurn: {
          const loop = code[pc + 1] ?? 0;
          const turns = registers[loop] ?? 0;
          failed = !mayTurn(loop, turns, code[pc + 2] ?? 0, position);
          if (!failed) {
            setRegister(loop, turns + 1);
            setRegister(loop + 1, position);
          }
          pc += SIZE;
          break;
        }
        case OP.repeatOne: {
          const least = position + (code[pc + 1] ?? 0);
          const most = repeatedUntil(pc + SIZE, position, code[pc + 2] ?? 0);
          const end = lastEnd(pc, least, most);
          failed = end < least;
          if (end > least) push(SHRINK, pc, least, end);
          position = end;
          pc += 2 * SIZE;
          break;
        }
        case OP.lazyRepeatOne: {
          const min = code[pc + 1] ?? 0;
          const max = code[pc + 2] ?? 0;
          const end = repeatedUntil(pc + SIZE, position, min);
          failed = end - position < min;
          if (!failed && max > min) push(GROW, pc, end, max === UNBOUNDED ? max : max - min);
          position = end;
          pc += 2 * SIZE;
          break;
        }
        case OP.atomic: {
          const before = height;
          const end = run(pc + SIZE, position, -1);
          failed = end === -1;
          if (!failed) dropChoices(before);
          position = end;
          pc = code[pc + 1] ?? 0;
          break;
        }
        case OP.look:
          failed = !looks(pc, position);
          pc = code[pc + 1] ?? 0;
          break;
        default:
          failed = position >= length || !takes(pc, text[position] ?? 0);
          position += 1;
          pc += SIZE;
      }
      while (failed) {
        if (height === base) return -1;
        height -= ENTRY;
        const a = stack[height + 1] ?? 0;
        const b = stack[height + 2] ?? 0;
        const tag: number = stack[height] ?? 0;
        switch (tag) {
          case UNDO:
            registers[a] = b;
            break;
          case CHOICE:
            pc = a;
            position = b;
            failed = false;
            break;
          case SHRINK: {
            position = lastEnd(a, b, (stack[height + 3] ?? 0) - 1);
            if (position < b) break;
            if (position > b) push(SHRINK, a, b, position);
            pc = a + 2 * SIZE;
            failed = false;
            break;
          }
          default: {
            let more = stack[height + 3] ?? 0;
            position = b;
            while (failed && more > 0 && position < length && takes(a + SIZE, text[position] ?? 0)) {
              position += 1;
              if (more !== UNBOUNDED) more -= 1;
              failed = !holds(code[a + 3] ?? -1, position);
            }
            count(position - b);
            if (failed) break;
            if (more > 0) push(GROW, a, position, more);
            pc = a + 2 * SIZE;
          }
        }
      }
    }
  }

  /** A turn that took nothing is the last one, or the loop would never end. */
  function mayTurn(loop: number, turns: number, max: number, position: number): boolean {
    return (max === UNBOUNDED || turns < max) && registers[loop + 1] !== position;
  }

  /** A failed match has undone all it did, a successful one leaves its groups. */
  let used = true;

  return {
    registers,
    takes,
    matchAt(start, forbidden) {
      if (used) registers.fill(-1);
      height = 0;
      const end = run(0, start, forbidden);
      used = end !== -1;
      return end;
    },
  };
}

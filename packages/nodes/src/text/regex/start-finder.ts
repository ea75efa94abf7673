import type { Machine } from './machine.ts';
import { OP, PLACES, type Program, SIZE } from './program.ts';

/** With more of them to try the machine itself is as fast. */
const MAX_BEGINNINGS = 16;

/** Finds the next position where a match may start, or -1, from what the pattern begins with. */
export function startFinder(
  program: Program,
  text: Int32Array,
  { takes }: Pick<Machine, 'takes'>,
): (from: number) => number {
  const [operation, first = 0] = program.code;
  if (operation === OP.place && PLACES[first] === 'start') return (from) => (from === 0 ? 0 : -1);
  const beginnings = beginningsAt(program.code, 0, MAX_BEGINNINGS);
  if (!beginnings) return (from) => from;
  const [only = 0] = beginnings;
  if (beginnings.length === 1 && program.code[only] === OP.character) {
    const character = program.code[only + 1] ?? 0;
    return (from) => text.indexOf(character, from);
  }
  return (from) => {
    for (let start = from; start < text.length; start += 1) {
      for (const pc of beginnings) if (takes(pc, text[start] ?? 0)) return start;
    }
    return -1;
  };
}

/** The one-character instructions one of which must take the first character; `undefined` when it need not be so. */
function beginningsAt(code: Int32Array, pc: number, room: number): readonly number[] | undefined {
  if (room < 1) return undefined;
  const operation: number = code[pc] ?? 0;
  switch (operation) {
    case OP.character:
    case OP.set:
    case OP.setIgnoreCase:
    case OP.anyButNewline:
      return [pc];
    case OP.repeatOne:
    case OP.lazyRepeatOne:
      return (code[pc + 1] ?? 0) > 0 ? beginningsAt(code, pc + SIZE, room) : undefined;
    case OP.save:
    case OP.loopStart:
      return beginningsAt(code, pc + SIZE, room);
    case OP.loop:
      return (code[pc + 2] ?? 0) > 0 ? beginningsAt(code, pc + SIZE, room) : undefined;
    case OP.lazyLoop:
      return (code[pc + 2] ?? 0) > 0 ? beginningsAt(code, pc + 2 * SIZE, room) : undefined;
    case OP.split: {
      const one = beginningsAt(code, pc + SIZE, room);
      const other = one && beginningsAt(code, code[pc + 1] ?? 0, room - one.length);
      return other && [...one, ...other];
    }
    default:
      return undefined;
  }
}

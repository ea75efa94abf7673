import { NodeError, valueError } from '@atelier/engine';
import { createMachine } from './machine.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Flags, PatternTree } from './pattern-tree.ts';
import { compileProgram, type Program } from './program.ts';

/** Regular expressions of Python's `re`. In JavaScript, groups and loops have other semantics. */
export interface Pattern extends Pick<PatternTree, 'groups' | 'names'> {
  readonly program: Program;
}

export type PatternOptions = Partial<Pick<Flags, 'ignoreCase' | 'multiline' | 'dotAll'>>;

export interface Match {
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The text of a group; 0 is the whole match. `undefined` if it took no part. */
  group(number: number): string | undefined;
}

export interface MatchLimits {
  /** Called regularly; throws if the job was cancelled. */
  readonly checkpoint: () => void;
  readonly timeLimitMs?: number;
}

/** A pattern may backtrack for longer than anyone waits. */
const TIME_LIMIT_MS = 10_000;

const MAX_PATTERN = 50_000;

/** Throws `PatternError` where Python has `re.error`. */
export function compilePattern(
  pattern: string,
  { ignoreCase = false, multiline = false, dotAll = false }: PatternOptions = {},
): Pattern {
  if (pattern.length > MAX_PATTERN) {
    throw valueError(`The regular expression is longer than ${MAX_PATTERN} characters.`);
  }
  const tree = parsePattern(pattern, { ignoreCase, multiline, dotAll, ascii: false, verbose: false });
  return { program: compileProgram(tree), groups: tree.groups, names: tree.names };
}

/** All matches from left to right, as in `finditer`: an empty match may follow another, but not itself. */
export function* findMatches(
  { program }: Pattern,
  text: string,
  { checkpoint, timeLimitMs = TIME_LIMIT_MS }: MatchLimits,
): Generator<Match> {
  const subject = readSubject(text);
  const deadline = performance.now() + timeLimitMs;
  const machine = createMachine(program, subject.codes, () => {
    checkpoint();
    if (performance.now() < deadline) return;
    throw new NodeError(
      'TimeoutError',
      `The regular expression did not finish in ${timeLimitMs / 1000} seconds.`,
    );
  });
  let forbidden = -1;
  for (let start = 0; start <= subject.codes.length; ) {
    const end = machine.matchAt(start, start === forbidden ? start : -1);
    if (end === -1) {
      start += 1;
      continue;
    }
    machine.registers[0] = start;
    machine.registers[1] = end;
    yield toMatch(text, subject, machine.registers.slice(0, 2 * (program.groups + 1)));
    forbidden = start === end ? end : -1;
    start = end;
  }
}

interface Subject {
  readonly codes: Int32Array;
  /** The offset of each code point in the text; `undefined` if every one takes one unit. */
  readonly offsets: Uint32Array | undefined;
}

function readSubject(text: string): Subject {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) {
    const units = new Int32Array(text.length);
    for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
    return { codes: units, offsets: undefined };
  }
  const codes = new Int32Array(text.length);
  const offsets = new Uint32Array(text.length + 1);
  let count = 0;
  for (let offset = 0; offset < text.length; count += 1) {
    const code = text.codePointAt(offset) ?? 0;
    codes[count] = code;
    offsets[count] = offset;
    offset += code > 0xffff ? 2 : 1;
  }
  offsets[count] = text.length;
  return { codes: codes.subarray(0, count), offsets };
}

function toMatch(text: string, { offsets }: Subject, groups: Int32Array): Match {
  const at = (register: number): number => {
    const position = groups[register] ?? -1;
    return position < 0 ? position : (offsets?.[position] ?? position);
  };
  return {
    start: at(0),
    end: at(1),
    group(number) {
      const start = at(2 * number);
      const end = at(2 * number + 1);
      return start < 0 || end < start ? undefined : text.slice(start, end);
    },
  };
}

import { NodeError, valueError } from '@atelier/engine';
import { createMachine } from './machine.ts';
import { parsePattern } from './parse-pattern.ts';
import { compileProgram, type Program } from './program.ts';

/** Regular expressions of Python's `re`, with its semantics: JavaScript's differ in what groups and loops keep. */
export interface Pattern {
  readonly program: Program;
  /** How many groups capture. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly multiline?: boolean;
  readonly dotAll?: boolean;
}

export interface Match {
  /** Offsets into the text, in its own 16-bit units. */
  readonly start: number;
  readonly end: number;
  /** What the group matched, 0 being the whole; `undefined` when it took no part. */
  group(number: number): string | undefined;
}

export interface MatchLimits {
  /** Called every so often; throws when the job was cancelled. */
  readonly checkpoint: () => void;
  readonly timeLimitMs?: number;
}

/** A pattern can be made to backtrack for longer than anyone waits. */
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

/** All matches from left to right, as `finditer` finds them: an empty one may follow another, but not itself. */
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
  /** Where each code point is in the text; `undefined` when every one is one unit. */
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

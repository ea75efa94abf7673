import { NodeError } from '@atelier/engine';
import { DIGIT, parseEscape } from './parse-escape.ts';
import { parseSet } from './parse-set.ts';
import { type PatternSource, readPattern } from './pattern-source.ts';
import {
  choiceWidth,
  type Flags,
  PatternError,
  type PatternNode,
  type PatternTree,
  sequenceWidth,
  type Width,
} from './pattern-tree.ts';

const MAX_REPEAT = 2 ** 32 - 1;
/** Python refuses deeper patterns too, when its stack ends. */
const MAX_NESTING = 250;
const FLAG_LETTERS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'verbose',
  a: 'ascii',
};
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

/** A global `(?x)` was found: the pattern is read again from the start, without white space and comments. */
class VerboseAfterAll extends Error {}

/** A node with its width, which look-behinds need. */
interface Sized {
  readonly node: PatternNode;
  readonly width: Width;
}

/** Reads the syntax of Python's `re` (3.11) and refuses what it refuses. */
export function parsePattern(pattern: string, flags: Flags): PatternTree {
  try {
    return createParser(readPattern(pattern), flags).parse();
  } catch (error) {
    if (!(error instanceof VerboseAfterAll)) throw error;
    return createParser(readPattern(pattern), { ...flags, verbose: true }).parse();
  }
}

function createParser(source: PatternSource, given: Flags) {
  let globalFlags = given;
  const names = new Map<string, number>();
  /** Widths of groups by number; `undefined` while a group is open. */
  const widths: (Width | undefined)[] = [[0, 0]];
  const conditions: { readonly group: number; readonly position: number }[] = [];
  /** The number of groups before the look-behind that is being read. */
  let beforeLookBehind: number | undefined;

  function parse(): PatternTree {
    const { node } = parseChoice(globalFlags, 0);
    if (source.next !== '') throw new PatternError('unbalanced parenthesis', source.position);
    for (const { group, position } of conditions) {
      if (group >= widths.length) throw new PatternError(`invalid group reference ${group}`, position);
    }
    return { root: node, groups: widths.length - 1, names };
  }

  function parseChoice(flags: Flags, nesting: number): Sized {
    if (nesting > MAX_NESTING)
      throw new NodeError('RecursionError', 'The pattern has too many groups in groups.');
    const branches = [parseSequence(flags, nesting, nesting === 0)];
    while (source.match('|'))
      branches.push(parseSequence(nesting === 0 ? globalFlags : flags, nesting, false));
    const [only] = branches;
    if (only && branches.length === 1) return only;
    return {
      node: { kind: 'choice', branches: branches.map(({ node }) => node) },
      width: choiceWidth(branches.map(({ width }) => width)),
    };
  }

  function parseSequence(outer: Flags, nesting: number, first: boolean): Sized {
    const items: Sized[] = [];
    let flags = outer;
    while (source.next !== '' && source.next !== '|' && source.next !== ')') {
      const position = source.position;
      const letter = source.get();
      if (flags.verbose && skips(letter)) continue;
      if (/^[*+?{]$/.test(letter)) {
        const bounds = parseBounds(letter, position);
        if (bounds) items.push(repeat(items.pop(), bounds, position));
        else items.push(character('{', flags));
        continue;
      }
      if (letter !== '(') {
        items.push(parseAtom(letter, flags));
        continue;
      }
      const item = parseGroup(flags, nesting, position, first && items.length === 0);
      if (item) items.push(item);
      // Flags for the whole pattern are no item, and they apply from here on.
      else if (first) flags = globalFlags;
    }
    return {
      node: { kind: 'sequence', items: items.map(({ node }) => node) },
      width: sequenceWidth(items.map(({ width }) => width)),
    };
  }

  function skips(letter: string): boolean {
    if (letter !== '#') return /^[ \t\n\r\v\f]$/.test(letter);
    while (source.next !== '' && source.get() !== '\n');
    return true;
  }

  function parseAtom(letter: string, flags: Flags): Sized {
    if (letter === '.') return { node: { kind: 'any', dotAll: flags.dotAll }, width: [1, 1] };
    if (letter === '[') return { node: parseSet(source, flags), width: [1, 1] };
    const { multiline, ascii, ignoreCase } = flags;
    if (letter === '^') return place(multiline ? 'lineStart' : 'start', ascii);
    if (letter === '$') return place(multiline ? 'lineEnd' : 'endOrNewline', ascii);
    if (!letter.startsWith('\\')) return character(letter, flags);
    const escape = parseEscape(letter, source);
    if ('place' in escape) return place(escape.place, ascii);
    if ('group' in escape) return reference(escape.group, flags);
    if ('code' in escape)
      return { node: { kind: 'character', code: escape.code, ignoreCase, ascii }, width: [1, 1] };
    return { node: { kind: 'set', items: [escape], negated: false, ignoreCase, ascii }, width: [1, 1] };
  }

  function reference(group: number, { ignoreCase, ascii }: Flags): Sized {
    if (group >= widths.length) throw new PatternError(`invalid group reference ${group}`, source.position);
    const width = widths[group];
    if (!width) throw new PatternError('cannot refer to an open group', source.position);
    checkLookBehind(group);
    return { node: { kind: 'reference', group, ignoreCase, ascii }, width };
  }

  function checkLookBehind(group: number): void {
    if (beforeLookBehind !== undefined && (widths[group] === undefined || group >= beforeLookBehind)) {
      const message = 'cannot refer to group defined in the same lookbehind subpattern';
      throw new PatternError(message, source.position);
    }
  }

  function parseBounds(letter: string, position: number): readonly [number, number] | undefined {
    if (letter === '?') return [0, 1];
    if (letter === '*') return [0, Infinity];
    if (letter === '+') return [1, Infinity];
    const here = position + 1;
    if (source.next === '}') return undefined;
    const low = source.getWhile(Infinity, DIGIT);
    const high = source.match(',') ? source.getWhile(Infinity, DIGIT) : low;
    if (!source.match('}')) {
      source.seek(here);
      return undefined;
    }
    const [min, max] = [Number(low), high === '' ? Infinity : Number(high)];
    if (min >= MAX_REPEAT || (max >= MAX_REPEAT && max !== Infinity)) {
      throw new NodeError('OverflowError', 'the repetition number is too large');
    }
    if (max < min) throw new PatternError('min repeat greater than max repeat', position);
    return [min, max];
  }

  function repeat(item: Sized | undefined, [min, max]: readonly [number, number], position: number): Sized {
    if (!item || item.node.kind === 'place') throw new PatternError('nothing to repeat', position);
    if (item.node.kind === 'repeat') throw new PatternError('multiple repeat', position);
    const mode = source.match('?') ? 'lazy' : source.match('+') ? 'possessive' : 'greedy';
    const [low, high] = item.width;
    return {
      node: { kind: 'repeat', min, max, mode, item: item.node },
      width: [low * min, high === 0 ? 0 : high * max],
    };
  }

  /** Reads the part after an opening parenthesis; `undefined` for comments and flags of the whole pattern. */
  function parseGroup(flags: Flags, nesting: number, position: number, first: boolean): Sized | undefined {
    if (!source.match('?')) return capture(undefined, flags, nesting, position);
    const letter = source.get();
    switch (letter) {
      case 'P':
        return parseNamed(flags, nesting, position);
      case ':':
        return enclosed(flags, nesting, position);
      case '>': {
        const { node, width } = enclosed(flags, nesting, position);
        return { node: { kind: 'atomic', item: node }, width };
      }
      case '#':
        while (source.next !== ')') {
          if (source.get() === '') throw new PatternError('missing ), unterminated comment', position);
        }
        source.get();
        return undefined;
      case '=':
      case '!':
        return look(false, letter === '!', flags, nesting, position);
      case '<': {
        const kind = source.get();
        if (kind !== '=' && kind !== '!') throw new PatternError(`unknown extension ?<${kind}`, position);
        const outer = beforeLookBehind;
        beforeLookBehind ??= widths.length;
        const result = look(true, kind === '!', flags, nesting, position);
        beforeLookBehind = outer;
        return result;
      }
      case '(':
        return parseCondition(flags, nesting, position);
      default:
        return parseFlagGroup(letter, flags, nesting, position, first);
    }
  }

  /** Reads up to the closing parenthesis. */
  function enclosed(flags: Flags, nesting: number, position: number): Sized {
    const { node, width } = parseChoice(flags, nesting + 1);
    close(position);
    return { node: { kind: 'group', number: undefined, item: node }, width };
  }

  function close(position: number): void {
    if (!source.match(')')) throw new PatternError('missing ), unterminated subpattern', position);
  }

  function capture(name: string | undefined, flags: Flags, nesting: number, position: number): Sized {
    const number = widths.length;
    widths.push(undefined);
    if (name !== undefined) {
      if (names.has(name)) throw new PatternError(`redefinition of group name '${name}'`, position);
      names.set(name, number);
    }
    const { node, width } = parseChoice(flags, nesting + 1);
    close(position);
    widths[number] = width;
    return { node: { kind: 'group', number, item: node }, width };
  }

  function parseNamed(flags: Flags, nesting: number, position: number): Sized {
    if (source.match('<')) return capture(groupName('>'), flags, nesting, position);
    if (!source.match('=')) {
      const letter = source.get();
      throw new PatternError(
        letter === '' ? 'unexpected end of pattern' : `unknown extension ?P${letter}`,
        position,
      );
    }
    const name = groupName(')');
    const group = names.get(name);
    if (group === undefined) throw new PatternError(`unknown group name '${name}'`, position);
    return reference(group, flags);
  }

  function groupName(terminator: string): string {
    const name = source.getUntil(terminator, 'group name');
    if (!IDENTIFIER.test(name))
      throw new PatternError(`bad character in group name '${name}'`, source.position);
    return name;
  }

  function look(behind: boolean, negated: boolean, flags: Flags, nesting: number, position: number): Sized {
    const { node, width } = parseChoice(flags, nesting + 1);
    close(position);
    if (behind && width[0] !== width[1]) throw new PatternError('look-behind requires fixed-width pattern');
    return {
      node: { kind: 'look', behind: behind ? width[0] : undefined, negated, item: node },
      width: [0, 0],
    };
  }

  function parseCondition(flags: Flags, nesting: number, position: number): Sized {
    const group = conditionGroup(source.getUntil(')', 'group name'));
    checkLookBehind(group);
    const yes = parseSequence(flags, nesting + 1, false);
    const no = source.match('|') ? parseSequence(flags, nesting + 1, false) : undefined;
    if (source.next === '|')
      throw new PatternError('conditional backref with more than two branches', position);
    close(position);
    return {
      node: { kind: 'condition', group, yes: yes.node, no: no?.node },
      width: choiceWidth([yes.width, no?.width ?? [0, 0]]),
    };
  }

  function conditionGroup(name: string): number {
    if (IDENTIFIER.test(name)) {
      const group = names.get(name);
      if (group === undefined) throw new PatternError(`unknown group name '${name}'`, source.position);
      return group;
    }
    const group = /^[0-9]+$/.test(name) ? Number(name) : Number.NaN;
    if (Number.isNaN(group)) throw new PatternError(`bad character in group name '${name}'`, source.position);
    if (group === 0) throw new PatternError('bad group number', source.position);
    conditions.push({ group, position: source.position });
    return group;
  }

  /** `(?i)` for the whole pattern, only at its beginning, or `(?i-s:…)` for a part. */
  function parseFlagGroup(
    letter: string,
    flags: Flags,
    nesting: number,
    position: number,
    first: boolean,
  ): Sized | undefined {
    const { on, off, ending } = readFlags(letter, position);
    if (ending === ':') return enclosed(withFlags(withFlags(flags, on, true), off, false), nesting, position);
    if (!first) throw new PatternError('global flags not at the start of the expression', position);
    globalFlags = withFlags(globalFlags, on, true);
    if (globalFlags.verbose && !flags.verbose) throw new VerboseAfterAll();
    return undefined;
  }

  function readFlags(letter: string, position: number): { on: string; off: string; ending: string } {
    let on = '';
    let off = '';
    let current = letter;
    if (!/^[-aiLmsux]$/.test(letter)) {
      throw new PatternError(
        letter === '' ? 'unexpected end of pattern' : `unknown extension ?${letter}`,
        position,
      );
    }
    while (/^[aiLmsux]$/.test(current)) {
      if (current === 'L')
        throw new PatternError("bad inline flags: cannot use 'L' flag with a str pattern", position);
      on += current;
      if (on.includes('a') && on.includes('u')) {
        throw new PatternError("bad inline flags: flags 'a', 'u' and 'L' are incompatible", position);
      }
      current = source.get();
      if (current === '') throw new PatternError('missing -, : or )', position);
    }
    if (current === ')') return { on, off, ending: ')' };
    if (current === '-') {
      for (current = source.get(); /^[aiLmsux]$/.test(current); current = source.get()) {
        if (/[aLu]/.test(current))
          throw new PatternError('bad inline flags: cannot turn off flags a, u and L', position);
        off += current;
      }
      if (off === '') throw new PatternError(current === '' ? 'missing flag' : 'unknown flag', position);
    }
    if (current !== ':') throw new PatternError(current === '' ? 'missing :' : 'unknown flag', position);
    if (/([imsx]).*-.*\1/.test(`${on}-${off}`)) {
      throw new PatternError('bad inline flags: flag turned on and off', position);
    }
    return { on, off, ending: ':' };
  }

  return { parse };
}

function withFlags(flags: Flags, letters: string, value: boolean): Flags {
  const changed: Record<string, boolean> = {};
  for (const letter of letters) {
    const flag = FLAG_LETTERS[letter];
    if (flag) changed[flag] = value;
    // `u` is the opposite of `a`.
    else changed['ascii'] = false;
  }
  return { ...flags, ...changed };
}

function character(letter: string, { ignoreCase, ascii }: Flags): Sized {
  return { node: { kind: 'character', code: letter.codePointAt(0) ?? 0, ignoreCase, ascii }, width: [1, 1] };
}

function place(at: (PatternNode & { kind: 'place' })['place'], ascii: boolean): Sized {
  return { node: { kind: 'place', place: at, ascii }, width: [0, 0] };
}

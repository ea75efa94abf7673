import { createTextBuilder, LimitError, NodeError } from '@atelier/engine';
import { CONTROL_ESCAPES, OCTAL, parseNumber } from './parse-escape.ts';
import { findMatches, type MatchLimits, type Pattern } from './pattern.ts';
import { type PatternSource, readPattern } from './pattern-source.ts';
import { PatternError } from './pattern-tree.ts';

type Replacement = readonly (string | number)[];

/** Replacements with escapes are read letter by letter. */
const MAX_ESCAPED = 2 ** 20;

/** `re.sub(pattern, replacement, text, count)`; a count of 0 replaces all. */
export function substitute(
  pattern: Pattern,
  replacement: string,
  text: string,
  { count = 0, ...limits }: MatchLimits & { readonly count?: number },
): string {
  const parts = parseReplacement(replacement, pattern);
  const result = createTextBuilder();
  let done = 0;
  let number = 0;
  for (const match of findMatches(pattern, text, limits)) {
    result.add(text.slice(done, match.start));
    for (const part of parts) result.add(typeof part === 'string' ? part : (match.group(part) ?? ''));
    done = match.end;
    number += 1;
    if (number === count) break;
  }
  result.add(text.slice(done));
  return result.toString();
}

function parseReplacement(text: string, { groups, names }: Pattern): Replacement {
  if (!text.includes('\\')) return [text];
  if (text.length > MAX_ESCAPED) {
    throw new LimitError(`A replacement with escapes has at most ${MAX_ESCAPED} characters.`);
  }
  const source = readPattern(text);
  const parts: (string | number)[] = [];

  function addGroup(group: number): void {
    if (group > groups) throw new PatternError(`invalid group reference ${group}`, source.position);
    parts.push(group);
  }

  while (source.next !== '') {
    const letter = source.get();
    const control = CONTROL_ESCAPES[letter];
    if (!letter.startsWith('\\')) parts.push(letter);
    else if (control !== undefined) parts.push(String.fromCharCode(control));
    else if (letter === '\\g') addGroup(namedGroup(source, names));
    else if (letter === '\\0') {
      parts.push(String.fromCharCode(Number.parseInt(`0${source.getWhile(2, OCTAL)}`, 8) & 0xff));
    } else if (/^\\[1-9]$/.test(letter)) {
      const number = parseNumber(letter.slice(1), source);
      if ('group' in number) addGroup(number.group);
      else parts.push(String.fromCharCode(number.code));
    } else if (/^\\[a-zA-Z]$/.test(letter)) {
      throw new PatternError(`bad escape ${letter}`, source.position);
    } else parts.push(letter);
  }
  return parts;
}

/** Reads `\g<…>`. */
function namedGroup(source: PatternSource, names: ReadonlyMap<string, number>): number {
  if (!source.match('<')) throw new PatternError('missing <', source.position);
  const name = source.getUntil('>', 'group name');
  if (/^[0-9]+$/.test(name)) return Number(name);
  if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) {
    throw new PatternError(`bad character in group name '${name}'`, source.position);
  }
  const group = names.get(name);
  if (group === undefined) throw new NodeError('IndexError', `unknown group name '${name}'`);
  return group;
}

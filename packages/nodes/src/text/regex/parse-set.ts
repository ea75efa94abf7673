import { parseEscape } from './parse-escape.ts';
import type { PatternSource } from './pattern-source.ts';
import { type Flags, PatternError, type PatternNode, type SetItem } from './pattern-tree.ts';

export function parseSet(source: PatternSource, { ignoreCase, ascii }: Flags): PatternNode {
  const position = source.position - 1;
  const negated = source.match('^');
  const items: SetItem[] = [];
  for (let first = true; first || !source.match(']'); first = false) {
    const start = source.position;
    const low = parseMember(source, position);
    if (!source.match('-')) {
      items.push(low);
      continue;
    }
    if (source.match(']')) {
      items.push(low, { first: 0x2d, last: 0x2d });
      break;
    }
    const high = parseMember(source, position);
    if (!('first' in low) || !('first' in high) || high.last < low.first) {
      throw new PatternError('bad character range', start);
    }
    items.push({ first: low.first, last: high.last });
  }
  return { kind: 'set', items, negated, ignoreCase, ascii };
}

function parseMember(source: PatternSource, position: number): SetItem {
  const letter = source.get();
  if (letter === '') throw new PatternError('unterminated character set', position);
  if (!letter.startsWith('\\')) return single(letter.codePointAt(0) ?? 0);
  const escape = parseEscape(letter, source, { isInSet: true });
  if ('code' in escape) return single(escape.code);
  if ('category' in escape) return escape;
  throw new PatternError(`bad escape ${letter}`, position);
}

function single(code: number): SetItem {
  return { first: code, last: code };
}

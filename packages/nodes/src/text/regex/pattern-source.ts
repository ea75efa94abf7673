import { PatternError } from './pattern-tree.ts';

/** Reads a pattern or a replacement by code points; a backslash and what follows it are read together. */
export interface PatternSource {
  /** The next character, or escape; `''` at the end. */
  readonly next: string;
  readonly position: number;
  get(): string;
  /** Steps over `text` if it is next. */
  match(text: string): boolean;
  /** The characters that pass, at most `count` of them. */
  getWhile(count: number, test: RegExp): string;
  /** What stands before the terminator, which is stepped over. */
  getUntil(terminator: string, what: string): string;
  seek(position: number): void;
}

export function readPattern(text: string): PatternSource {
  const letters = Array.from(text);
  let index = 0;
  let next = '';

  function advance(): void {
    next = letters[index] ?? '';
    if (next === '') return;
    index += 1;
    if (next !== '\\') return;
    const escaped = letters[index];
    if (escaped === undefined) throw new PatternError('bad escape (end of pattern)', letters.length - 1);
    next += escaped;
    index += 1;
  }

  const source = {
    get next() {
      return next;
    },
    get position() {
      return index - Array.from(next).length;
    },
    get() {
      const letter = next;
      advance();
      return letter;
    },
    match(wanted: string) {
      if (next !== wanted) return false;
      advance();
      return true;
    },
    getWhile(count: number, pattern: RegExp) {
      let result = '';
      while (result.length < count && pattern.test(source.next)) result += source.get();
      return result;
    },
    getUntil(terminator: string, what: string) {
      let result = '';
      for (;;) {
        if (next === '') {
          throw new PatternError(
            result === '' ? `missing ${what}` : `missing ${terminator}, unterminated name`,
          );
        }
        const letter = source.get();
        if (letter === terminator) {
          if (result === '') throw new PatternError(`missing ${what}`);
          return result;
        }
        result += letter;
      }
    },
    seek(position: number) {
      index = position;
      advance();
    },
  };
  advance();
  return source;
}

import { PatternError } from './pattern-tree.ts';

export type PatternSource = ReturnType<typeof readPattern>;

/** Reads a pattern or replacement by code points. A backslash and the next character are one unit. */
export function readPattern(text: string) {
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
    /** The next character or escape; `''` at the end. */
    get next(): string {
      return next;
    },
    get position(): number {
      return index - Array.from(next).length;
    },
    get(): string {
      const letter = next;
      advance();
      return letter;
    },
    /** Skips the text if it is next. */
    match(wanted: string): boolean {
      if (next !== wanted) return false;
      advance();
      return true;
    },
    getWhile(count: number, pattern: RegExp): string {
      let result = '';
      while (result.length < count && pattern.test(source.next)) result += source.get();
      return result;
    },
    getUntil(terminator: string, what: string): string {
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
    seek(position: number): void {
      index = position;
      advance();
    },
  };
  advance();
  return source;
}

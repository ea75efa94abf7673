import type { InspectionLimits } from '../limits.ts';

/** The code exceeds the limits of the inspection. The message says how, after the name of a file. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

export type ParseBudget = ReturnType<typeof createParseBudget>;

/**
 * The cost of parsing. The parser takes a few microseconds for any token, and ten times that if it must repair the source;
 * bytes say little about either.
 */
export function createParseBudget(
  limits: Pick<InspectionLimits, 'pythonFileTokens' | 'pythonTokens' | 'pythonRepairs'>,
) {
  let tokens = limits.pythonTokens;
  let repairs = limits.pythonRepairs;
  return {
    /** Throws a `TooComplex` before it parses a source with too many tokens. */
    spendTokens(text: string): void {
      const most = Math.min(tokens, limits.pythonFileTokens);
      const count = countTokens(text, most);
      // Spent even on failure; otherwise many oversized files would cost as much to count as to parse.
      if (count > most && most === tokens) tokens = 0;
      if (count > most) throw new TooComplex('too long');
      tokens -= count;
    },
    spendRepair(): void {
      repairs -= 1;
      if (repairs < 0) throw new TooComplex('too far from Python');
    },
  };
}

/** Roughly a token, with texts and comments whole. */
export const TOKEN =
  /[\p{L}\p{M}\w]*(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]+|\\[^])*"?|'(?:[^'\\\n]+|\\[^])*'?)|#[^\n]*|[\p{L}\p{M}\w]+|\S/gu;

/** Stops counting beyond `most`. An f-string has code between its quotes. */
function countTokens(text: string, most: number): number {
  let count = 0;
  for (const { 0: token } of text.matchAll(TOKEN)) {
    count += 1;
    if (token.length > 8 && /^(?:r?[ft]|[ft]r)["']/i.test(token))
      count += token.match(/[^\s\w]/g)?.length ?? 0;
    if (count > most) break;
  }
  return count;
}

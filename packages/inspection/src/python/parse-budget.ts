import type { InspectionLimits } from '../limits.ts';

/** Code that goes beyond what the inspection follows; the message says how, to follow the name of a file. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

export type ParseBudget = ReturnType<typeof createParseBudget>;

/**
 * What parsing may cost. The parser takes a few microseconds a token, whatever it is, and ten times that where it
 * has to guess what is meant; bytes say little about either.
 */
export function createParseBudget(
  limits: Pick<InspectionLimits, 'pythonFileTokens' | 'pythonTokens' | 'pythonRepairs'>,
) {
  let tokens = limits.pythonTokens;
  let repairs = limits.pythonRepairs;
  return {
    /** Throws a `TooComplex` for a source of too many tokens, before it is parsed. */
    spendTokens(text: string): void {
      const most = Math.min(tokens, limits.pythonFileTokens);
      const count = countTokens(text, most);
      // Spent even on failure: otherwise many oversized files would cost as much to count as to parse.
      if (count > most && most === tokens) tokens = 0;
      if (count > most) throw new TooComplex('too long');
      tokens -= count;
    },
    /** Throws a `TooComplex` when the parser has been guessing for too long. */
    spendRepair(): void {
      repairs -= 1;
      if (repairs < 0) throw new TooComplex('too far from Python');
    },
  };
}

/** Roughly what is a token, with texts and comments whole. */
export const TOKEN =
  /[\p{L}\p{M}\w]*(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]+|\\[^])*"?|'(?:[^'\\\n]+|\\[^])*'?)|#[^\n]*|[\p{L}\p{M}\w]+|\S/gu;

/** Roughly, and not further than needed. Between the quotes of an f-string there is code. */
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

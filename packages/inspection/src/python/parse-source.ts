import { type ParseBudget, TOKEN } from './parse-budget.ts';
import { readStatements } from './read-statements.ts';
import { parseTree } from './syntax-tree.ts';

/** Throws a `TooComplex` for code that nests or goes on beyond reason; anything else gives some statements. */
export function parseSource(text: string, budget: ParseBudget) {
  budget.spendTokens(text);
  const parsed = knownStrings(plainNumbers(text));
  const { top, errors } = parseTree(parsed, budget);
  return { statements: readStatements({ text, parsed, depth: 0 }, top.children), errors };
}

/** The grammar does not know `2.` and `1.e-5`; the dot moves in front as a blank, so that offsets stay. */
function plainNumbers(text: string): string {
  return text.replaceAll(/(?<![\w.])(\d[\d_]*)\.(?=e[+-]?\d|[^\w.]|$)/gi, ' $1');
}

/** Nor does it know template strings, which have code inside as f-strings do; a letter for a letter. */
function knownStrings(text: string): string {
  if (!/\b(?:t|rt|tr)["']/i.test(text)) return text;
  return text.replaceAll(TOKEN, (token) => {
    const [prefix = ''] = /^(?:t|rt|tr)(?=["'])/i.exec(token) ?? [];
    return prefix === '' ? token : prefix.replace(/t/i, 'f') + token.slice(prefix.length);
  });
}

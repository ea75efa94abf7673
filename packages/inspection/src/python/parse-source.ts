import { type ParseBudget, TOKEN } from './parse-budget.ts';
import { readStatements } from './read-statements.ts';
import { parseTree } from './syntax-tree.ts';

export function parseSource(text: string, budget: ParseBudget) {
  budget.spendTokens(text);
  const parsed = knownStrings(plainNumbers(text));
  const { top, errors } = parseTree(parsed, budget);
  return { statements: readStatements({ text, parsed, depth: 0 }, top.children), errors };
}

/** The grammar does not know `2.` and `1.e-5`. The dot becomes a blank in front, so that offsets stay the same. */
function plainNumbers(text: string): string {
  return text.replaceAll(/(?<![\w.])(\d[\d_]*)\.(?=e[+-]?\d|[^\w.]|$)/gi, ' $1');
}

/**
 * The grammar does not know template strings, which have code inside like f-strings. Their prefix becomes that of an
 * f-string.
 */
function knownStrings(text: string): string {
  if (!/\b(?:t|rt|tr)["']/i.test(text)) return text;
  return text.replaceAll(TOKEN, (token) => {
    const [prefix = ''] = /^(?:t|rt|tr)(?=["'])/i.exec(token) ?? [];
    return prefix === '' ? token : prefix.replace(/t/i, 'f') + token.slice(prefix.length);
  });
}

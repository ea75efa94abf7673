import type { ParseBudget } from './parse-budget.ts';
import { readStatements } from './read-statements.ts';
import type { Statement } from './syntax.ts';
import { parseTree } from './syntax-tree.ts';

export interface ParsedSource {
  readonly text: string;
  readonly statements: readonly Statement[];
  /** The parser had to skip or invent something. */
  readonly hasErrors: boolean;
}

/** Throws a `BeyondBounds` for code that nests or goes on beyond reason; anything else gives some statements. */
export function parseSource(text: string, budget: ParseBudget): ParsedSource {
  budget.spendTokens(text);
  const parsed = plainNumbers(text);
  const { top, hasErrors } = parseTree(parsed, budget);
  return { text, statements: readStatements({ text, parsed, depth: 0 }, top.children), hasErrors };
}

/** The grammar does not know `2.` and `1.e-5`; the dot moves in front as a blank, so that offsets stay. */
function plainNumbers(text: string): string {
  return text.replaceAll(/(?<![\w.])(\d[\d_]*)\.(?=e[+-]?\d|[^\w.]|$)/gi, ' $1');
}

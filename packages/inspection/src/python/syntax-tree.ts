import { parser } from '@lezer/python';

import type { ParseBudget } from './parse-budget.ts';

/** The parser's tree as plain objects, which are read several times faster than its cursor. */
export interface SyntaxNode {
  readonly name: string;
  readonly isExpression: boolean;
  readonly from: number;
  readonly to: number;
  children: SyntaxNode[];
}

/** Where the parser skipped or inserted something: the surrounding node if it is short, or else the error alone. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A short statement with an error is doubtful as a whole. */
const MAX_ERROR_CONTEXT = 1000;
const MAX_ERRORS = 1000;

const EXPRESSIONS = parser.nodeSet.types.map(({ name }) =>
  /(?:Expression|Name|String|Number|Boolean|None|Ellipsis)$/.test(name),
);
/** Nodes without meaning of their own. */
const SILENT = parser.nodeSet.types.map(({ name }) => ['Comment', '(', ')', '{', '}'].includes(name));
const NONE: SyntaxNode[] = [];
export const ERROR = '⚠';

export function parseTree(text: string, budget: ParseBudget) {
  const top: SyntaxNode = { name: 'Script', isExpression: false, from: 0, to: text.length, children: [] };
  const open: SyntaxNode[] = [top];
  const errors: Extent[] = [];
  parse(text, budget).iterate({
    enter({ type, from, to }) {
      if (type.isTop) return true;
      if (SILENT[type.id]) return false;
      const parent = open.at(-1) ?? top;
      const isExpression = EXPRESSIONS[type.id] ?? false;
      const node: SyntaxNode = { name: type.name, isExpression, from, to, children: NONE };
      // A `yield` without a value is valid Python, but an error for the grammar.
      if (type.isError && !parent.name.startsWith('Yield') && errors.length < MAX_ERRORS)
        errors.push(extentOf(parent, from, to));
      if (parent.children === NONE) parent.children = [node];
      else parent.children.push(node);
      open.push(node);
      return true;
    },
    leave({ type }) {
      if (!type.isTop && !SILENT[type.id]) open.pop();
    },
  });
  return { top, errors };
}

function extentOf(parent: SyntaxNode, from: number, to: number): Extent {
  const isShort = parent.to - parent.from <= MAX_ERROR_CONTEXT;
  return isShort ? { from: Math.min(from, parent.from), to: Math.max(to, parent.to) } : { from, to };
}

function parse(text: string, budget: ParseBudget) {
  const underWay = parser.startParse(text);
  for (;;) {
    const tree = underWay.advance();
    if (tree) return tree;
    // The parser counts down after every error, but its types do not say so.
    if ('recovering' in underWay && underWay.recovering !== 0) budget.spendRepair();
  }
}

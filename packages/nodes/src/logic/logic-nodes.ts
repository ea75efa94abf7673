import type { NodeType } from '@atelier/engine';
import { mathExpression } from './math-expression.ts';
import { numberNodes } from './numbers.ts';
import { primitiveNodes } from './primitives.ts';
import { switchNodes } from './switches.ts';

export const logicNodes: readonly NodeType[] = [
  ...primitiveNodes,
  ...switchNodes,
  mathExpression,
  ...numberNodes,
];

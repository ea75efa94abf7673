import { nodesIn } from '../nodes-in.ts';
import * as mathExpression from './math-expression.ts';
import * as numbers from './numbers.ts';
import * as primitives from './primitives.ts';
import * as switches from './switches.ts';

export const logicNodes = nodesIn(primitives, switches, mathExpression, numbers);

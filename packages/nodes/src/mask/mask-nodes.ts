import { nodesIn } from '../nodes-in.ts';
import * as basic from './basic.ts';
import * as composite from './composite.ts';
import * as edit from './edit.ts';

export const maskNodes = nodesIn(basic, edit, composite);

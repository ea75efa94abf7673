import { basicMaskNodes } from './basic.ts';
import { compositeNodes } from './composite.ts';
import { maskEditNodes } from './edit.ts';

export const maskNodes = [...basicMaskNodes, ...maskEditNodes, ...compositeNodes];

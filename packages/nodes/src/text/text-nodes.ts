import type { NodeType } from '@atelier/engine';
import { jsonNodes } from './json-nodes.ts';
import { previewAny } from './preview-any.ts';
import { regexNodes } from './regex-nodes.ts';
import { saveText } from './save-text.ts';
import { stringFormat } from './string-format.ts';
import { stringNodes } from './string-nodes.ts';
import { textListNodes } from './text-lists.ts';

export const textNodes: readonly NodeType[] = [
  ...stringNodes,
  stringFormat,
  ...regexNodes,
  ...jsonNodes,
  ...textListNodes,
  saveText,
  previewAny,
];

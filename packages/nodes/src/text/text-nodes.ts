import { nodesIn } from '../nodes-in.ts';
import * as jsonNodes from './json-nodes.ts';
import * as previewAny from './preview-any.ts';
import * as regexNodes from './regex-nodes.ts';
import * as saveText from './save-text.ts';
import * as stringFormat from './string-format.ts';
import * as stringNodes from './string-nodes.ts';
import * as textLists from './text-lists.ts';

export const textNodes = nodesIn(
  stringNodes,
  stringFormat,
  regexNodes,
  jsonNodes,
  textLists,
  saveText,
  previewAny,
);

import { defineNode, link, MAX_TEXT_LENGTH, NodeError, ofSocket, output, pythonJson } from '@atelier/engine';
import { pythonStr } from '../values/python-text.ts';

export const previewAny = defineNode({
  type: 'PreviewAny',
  title: 'Preview as Text',
  category: 'utilities',
  description: 'Shows any value as text.',
  searchAliases: ['show output', 'inspect', 'debug', 'print value', 'show text'],
  inputs: { source: link('*') },
  outputs: [output('STRING')],
  outputNode: true,
  run({ source }, { types }) {
    const text = previewText(ofSocket(source, types['source']));
    return { outputs: [text], ui: { text: [text] } };
  },
});

function previewText(source: unknown): string {
  if (typeof source !== 'object' || source === null) return pythonStr(source);
  try {
    return pythonJson(source, { indent: 4, ascii: false, maxLength: MAX_TEXT_LENGTH });
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return pythonStr(source);
  }
}

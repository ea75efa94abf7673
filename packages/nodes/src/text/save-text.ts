import {
  combo,
  cutText,
  defineNode,
  JsonDecodeError,
  MAX_NODE_OUTPUT_BYTES,
  MAX_TEXT_LENGTH,
  output,
  parsePythonJson,
  pythonJson,
  string,
} from '@atelier/engine';
import { saveNumbered } from '../files/save-path.ts';

/** The limit of an output without its keys. The file has the whole text. */
const MAX_SHOWN_BYTES = MAX_NODE_OUTPUT_BYTES - 100;

export const saveText = defineNode({
  type: 'SaveText',
  title: 'Save Text',
  category: 'text',
  description: 'Writes a text to a file in the output folder.',
  searchAliases: ['save text', 'write text', 'export text'],
  inputs: {
    text: string({ forceInput: true, multiline: false }),
    filename_prefix: string({ default: 'ComfyUI', multiline: false }),
    format: combo(['txt', 'csv', 'md', 'json'], { default: 'txt' }),
  },
  outputs: [output('STRING', { name: 'text' })],
  outputNode: true,
  async run({ text, filename_prefix, format }, context) {
    const content = new TextEncoder().encode(format === 'json' ? indented(text) : text);
    const options = { ending: `.${format}`, width: 1, height: 1 };
    const files = await saveNumbered(filename_prefix, [content], options, context);
    return { outputs: [text], ui: { text: [cutText(text, MAX_SHOWN_BYTES)], files } };
  },
});

/** Keeps text that is not JSON. */
function indented(text: string): string {
  try {
    return pythonJson(parsePythonJson(text), { indent: 2, ascii: false, maxLength: MAX_TEXT_LENGTH });
  } catch (error) {
    if (error instanceof JsonDecodeError) return text;
    throw error;
  }
}

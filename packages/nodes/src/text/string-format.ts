import { autogrow, defineNode, link, ofSocket, output, string } from '@atelier/engine';
import { formatText } from './format/format-text.ts';

export const stringFormat = defineNode({
  type: 'StringFormat',
  title: 'Format Text',
  category: 'text',
  description: "Fills values into a text, as Python's str.format does: {a}, {b:>10}, {c:.2f}.",
  searchAliases: ['string', 'format'],
  inputs: {
    values: autogrow(link('*'), { names: Array.from('abcdefghijklmnopqrstuvwxyz'), min: 0 }),
    f_string: string({ default: '{a}', multiline: true }),
  },
  outputs: [output('STRING')],
  run({ values, f_string }, { types }) {
    const typed = Object.entries(values).map(([name, value]) => [
      name,
      ofSocket(value, types[`values.${name}`]),
    ]);
    return [formatText(f_string, Object.fromEntries(typed))];
  },
});

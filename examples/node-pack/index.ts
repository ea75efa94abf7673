/**
 * A pack of your own: `ATELIER_NODE_PACKS=examples/node-pack npm start`, or `folders: ['examples/node-pack']` where you
 * start a runner. Everything editors need to know of these nodes follows from the declarations.
 */
import {
  combo,
  defineNode,
  definePack,
  float,
  int,
  link,
  listOutput,
  NodeError,
  output,
  string,
} from '@atelier/engine';
import '@atelier/nodes';

/** The simplest kind: values in, values out. */
const duotone = defineNode({
  type: 'ExampleDuotone',
  title: 'Duotone',
  category: 'examples',
  description: 'Colors a picture by its brightness, from one color to another.',
  inputs: {
    image: link('IMAGE', { tooltip: 'The picture to color.' }),
    dark: string({ default: '#102040', tooltip: 'The color of black.' }),
    light: string({ default: '#ffd0a0', tooltip: 'The color of white.' }),
    amount: float({ default: 1, min: 0, max: 1, step: 0.01, display: 'slider' }),
  },
  outputs: [output('IMAGE')],

  run({ image, dark, light, amount }, context) {
    const from = parseColor(dark);
    const to = parseColor(light);
    // Never change an input: other nodes and the cache hold the same array.
    const data = context.memory.dirtyFloats(image.data.length);
    const size = image.data.length / image.batch;
    for (let index = 0; index < image.batch; index += 1) {
      color(image.data.subarray(index * size, (index + 1) * size), data.subarray(index * size), {
        channels: image.channels,
        from,
        to,
        amount,
      });
      // Tells the watchers how far it is, and stops here when the job was cancelled.
      context.progress(index + 1, image.batch);
    }
    return [{ ...image, data }];
  },
});

interface Coloring {
  readonly channels: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly amount: number;
}

function color(source: Float32Array, target: Float32Array, { channels, from, to, amount }: Coloring): void {
  for (let at = 0; at < source.length; at += channels) {
    const luma = 0.299 * (source[at] ?? 0) + 0.587 * (source[at + 1] ?? 0) + 0.114 * (source[at + 2] ?? 0);
    for (let channel = 0; channel < channels; channel += 1) {
      const value = source[at + channel] ?? 0;
      const toned = (from[channel] ?? 0) + ((to[channel] ?? 0) - (from[channel] ?? 0)) * luma;
      target[at + channel] = channel < 3 ? value + (toned - value) * amount : value;
    }
  }
}

/** An error that the submitter of a workflow reads. */
function parseColor(text: string): readonly number[] {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) throw new NodeError('ValueError', `"${text}" is not a color such as #ffd0a0.`);
  return match.slice(1).map((part) => Number.parseInt(part, 16) / 255);
}

/** A list output: whatever comes after it runs once for each item. */
const words = defineNode({
  type: 'ExampleWords',
  title: 'Words',
  category: 'examples',
  description: 'Splits a text into its words.',
  inputs: {
    text: string({ multiline: true, default: 'red green blue' }),
    order: combo(['as written', 'sorted']),
    limit: int({ default: 100, min: 1, max: 10_000 }),
  },
  outputs: [listOutput('STRING', { name: 'words' })],
  run({ text, order, limit }) {
    const all = text.split(/\s+/).filter((word) => word !== '');
    return [(order === 'sorted' ? all.toSorted() : all).slice(0, limit)];
  },
});

export const pack = definePack({ name: 'example-pack', nodes: [duotone, words] });

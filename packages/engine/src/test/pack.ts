import {
  autogrow,
  block,
  boolean,
  combo,
  createTextBuilder,
  defineNode,
  definePack,
  dynamicCombo,
  int,
  link,
  listOutput,
  NodeError,
  optional,
  output,
  string,
} from '../index.ts';

/** Node types that exercise the engine and do nothing useful. */

const number = defineNode({
  type: 'Number',
  category: 'test',
  inputs: { value: int({ default: 0, min: -1_000_000, max: 1_000_000 }) },
  outputs: [output('INT')],
  run: ({ value }) => [value],
});

const add = defineNode({
  type: 'Add',
  category: 'test',
  inputs: { a: link('INT'), b: optional(link('INT')) },
  outputs: [output('INT')],
  run: ({ a, b = 0 }) => [Number(a) + Number(b)],
});

const sum = defineNode({
  type: 'Sum',
  category: 'test',
  inputs: { values: autogrow(link('INT'), { prefix: 'value', min: 1, max: 10 }) },
  outputs: [output('INT')],
  run: ({ values }) => [Object.values(values).reduce<number>((total, value) => total + Number(value), 0)],
});

const range = defineNode({
  type: 'Range',
  category: 'test',
  inputs: { count: int({ min: 0, max: 100 }) },
  outputs: [listOutput('INT')],
  run: ({ count }) => [Array.from({ length: count }, (_, index) => index)],
});

const total = defineNode({
  type: 'Total',
  category: 'test',
  inputIsList: true,
  inputs: { values: link('INT') },
  outputs: [output('INT')],
  run: ({ values }) => [values.reduce<number>((result, value) => result + Number(value), 0)],
});

const choose = defineNode({
  type: 'Choose',
  category: 'test',
  inputs: {
    first: boolean({ default: true }),
    one: link('*', { lazy: true }),
    two: link('*', { lazy: true }),
  },
  outputs: [output('*')],
  needs: ({ first }) => [first === true ? 'one' : 'two'],
  run: ({ first, one, two }) => [first ? one : two],
});

const stop = defineNode({
  type: 'Stop',
  category: 'test',
  inputs: { value: link('*'), message: optional(string()) },
  outputs: [output('*')],
  run: ({ message }) => [block(message)],
});

const repeat = defineNode({
  type: 'Repeat',
  category: 'test',
  description: 'Expands into a chain of additions.',
  inputs: {
    value: link('INT', { rawLink: true }),
    times: int({ min: 1, max: 50 }),
    show: optional(boolean()),
  },
  outputs: [output('INT')],
  run({ value, times, show }) {
    const nodes = Array.from({ length: times }, (_, index) => [
      `add${index}`,
      { class_type: 'Add', inputs: { a: index === 0 ? value : [`add${index - 1}`, 0], b: value } },
    ]);
    const shown = show ? [['show', { class_type: 'Show', inputs: { value: [`add${times - 1}`, 0] } }]] : [];
    return {
      outputs: [[`add${times - 1}`, 0] as never],
      expand: Object.fromEntries([...nodes, ...shown]) as Record<string, never>,
    };
  },
});

const show = defineNode({
  type: 'Show',
  category: 'test',
  outputNode: true,
  inputs: { value: link('*') },
  outputs: [],
  run: ({ value }) => ({ outputs: [], ui: { text: [String(value)] } }),
});

const random = defineNode({
  type: 'Random',
  category: 'test',
  inputs: {},
  outputs: [output('FLOAT')],
  fingerprint: () => Number.NaN,
  run: () => [Math.random()],
});

const own = defineNode({
  type: 'Own',
  category: 'test',
  notIdempotent: true,
  inputs: {},
  outputs: [output('FLOAT')],
  run: () => [Math.random()],
});

const fail = defineNode({
  type: 'Fail',
  category: 'test',
  inputs: { message: string({ default: 'no' }), value: optional(link('*')) },
  outputs: [output('INT')],
  run({ message }) {
    throw new NodeError('ValueError', message);
  },
});

const delay = defineNode({
  type: 'Delay',
  category: 'test',
  async: true,
  inputs: { value: link('*'), ms: int({ min: 0, max: 100_000 }) },
  outputs: [output('*')],
  async run({ value, ms }, { signal }) {
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      });
    });
    return [value];
  },
});

const spin = defineNode({
  type: 'Spin',
  category: 'test',
  description: 'Computes for so long; it looks for a cancel only when it is polite.',
  inputs: { ms: int({ min: 0, max: 100_000 }), polite: boolean() },
  outputs: [output('INT')],
  run({ ms, polite }, context) {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      if (polite) context.progress(Math.max(0, ms - (end - performance.now())), ms);
    }
    return [ms];
  },
});

const greedy = defineNode({
  type: 'Greedy',
  category: 'test',
  description: 'Takes memory: from the arena, as bare arrays, as objects, or as one text.',
  inputs: { how: combo(['arena', 'arrays', 'objects', 'text']), mb: int({ min: 1, max: 100_000 }) },
  outputs: [output('INT')],
  async run({ how, mb }, { memory }) {
    if (how === 'text') createTextBuilder().add('a'.repeat(mb * 2 ** 20));
    const taken: unknown[] = [];
    for (let index = 0; index < mb; index += 1) {
      if (how === 'arena') taken.push(memory.floats(2 ** 18));
      else if (how === 'arrays') taken.push(new Float32Array(2 ** 18).fill(1));
      else taken.push(Array.from({ length: 2 ** 16 }, (_, at) => ({ at, index })));
      if (index % 64 === 63) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return [taken.length];
  },
});

const buffer = defineNode({
  type: 'Buffer',
  category: 'test',
  inputs: { length: int({ min: 1, max: 1e8 }), fill: int() },
  outputs: [output('BUFFER')],
  run: ({ length, fill: value }, { memory }) => [{ data: memory.dirtyFloats(length).fill(value) }],
});

const plusOne = defineNode({
  type: 'PlusOne',
  category: 'test',
  inputs: { buffer: link('BUFFER') },
  outputs: [output('BUFFER')],
  run(inputs, { memory }) {
    const { data } = inputs.buffer as { readonly data: Float32Array };
    const result = memory.dirtyFloats(data.length);
    for (let index = 0; index < data.length; index += 1) result[index] = (data[index] ?? 0) + 1;
    return [{ data: result }];
  },
});

const showBuffer = defineNode({
  type: 'ShowBuffer',
  category: 'test',
  outputNode: true,
  inputs: { buffer: link('BUFFER') },
  outputs: [],
  run(inputs) {
    const { data } = inputs.buffer as { readonly data: Float32Array };
    return { outputs: [], ui: { text: [`${data[0]} ${data.at(-1)} ${data.length}`] } };
  },
});

const shape = defineNode({
  type: 'Shape',
  category: 'test',
  inputs: {
    shape: dynamicCombo({
      square: { side: int({ min: 1, max: 100 }) },
      box: { width: int({ min: 1 }), height: optional(int({ min: 1 })) },
    }),
  },
  outputs: [output('INT')],
  run: ({ shape: given }) => [
    given.choice === 'square' ? given.side ** 2 : given.width * (given.height ?? 1),
  ],
});

const picky = defineNode({
  type: 'Picky',
  category: 'test',
  inputs: { word: string(), size: int({ min: 0, max: 3 }) },
  outputs: [output('STRING')],
  validate: { inputs: ['word'], check: ({ word }) => (word === 'please' ? true : 'the word is missing') },
  run: ({ word }) => [word],
});

const mode = defineNode({
  type: 'Mode',
  category: 'test',
  inputs: { mode: combo(['soft', 'hard']), strength: optional(int({ min: 0, max: 10 })) },
  outputs: [output('STRING')],
  run: ({ mode: value }) => [value],
});

export const pack = definePack({
  name: 'engine-test',
  nodes: [
    number,
    add,
    sum,
    range,
    total,
    choose,
    stop,
    repeat,
    show,
    random,
    own,
    fail,
    delay,
    spin,
    greedy,
    buffer,
    plusOne,
    showBuffer,
    shape,
    picky,
    mode,
  ],
});

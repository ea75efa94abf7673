import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { bigInt, defineNode, definePack, int, link, NodeError, optional, output, string } from '../index.ts';

/** Node types that misbehave, each in its own way. */

const talker = defineNode({
  type: 'Talker',
  category: 'odd',
  description: 'Goes on after its job was cancelled: it talks, takes memory and writes files.',
  async: true,
  inputs: { secret: string() },
  outputs: [output('INT')],
  async run({ secret }, context) {
    for (let n = 0; n < 30; n += 1) {
      await wait(5);
      context.showText(secret);
      try {
        context.memory.floats(1000);
        await context.files.create(
          { folder: 'output', subfolder: '', name: `${n}.txt` },
          Buffer.from(secret),
        );
      } catch {
        // It does not care.
      }
    }
    return [1];
  },
});

const slowBuffer = defineNode({
  type: 'SlowBuffer',
  category: 'odd',
  async: true,
  inputs: { length: int(), ms: int() },
  outputs: [output('BUFFER')],
  async run({ length, ms }, { memory }) {
    const data = memory.floats(length);
    await wait(ms);
    return [{ data }];
  },
});

const lateThrow = defineNode({
  type: 'LateThrow',
  category: 'odd',
  inputs: { ms: int(), how: string() },
  outputs: [output('INT')],
  run({ ms, how }) {
    setTimeout(() => {
      if (how === 'reject') void Promise.reject(new Error('late'));
      else throw new Error('late');
    }, ms);
    return [1];
  },
});

const crash = defineNode({
  type: 'Crash',
  category: 'odd',
  description: 'Ends its process, as a fault in a native library does.',
  inputs: { how: string() },
  outputs: [output('INT')],
  run({ how }) {
    if (how === 'abort') process.abort();
    if (how === 'exit') process.exit(0);
    process.kill(process.pid, how);
    return [1];
  },
});

const processId = defineNode({
  type: 'ProcessId',
  category: 'odd',
  inputs: {},
  outputs: [output('INT')],
  run: () => [process.pid],
});

const starter = defineNode({
  type: 'Starter',
  category: 'odd',
  description: 'Starts a process that never ends.',
  inputs: {},
  outputs: [output('INT')],
  run: () => [spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' }).pid ?? 0],
});

const printer = defineNode({
  type: 'Printer',
  category: 'odd',
  outputNode: true,
  inputs: { text: string(), times: int() },
  outputs: [],
  async run({ text, times }) {
    for (let n = 0; n < times; n += 1) process.stdout.write(`${text}\n`);
    // Its words are on their way before the job ends.
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
    return [];
  },
});

const odd = (what: string): unknown => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  switch (what) {
    case 'null prototype':
      return Object.create(null);
    case 'getter':
      return Object.defineProperty(new Error('x'), 'message', {
        get() {
          throw new Error('no message');
        },
      });
    case 'stack':
      return Object.assign(new Error('odd stack'), { stack: 5 });
    case 'name':
      return Object.assign(new Error('odd name'), { name: { a: 1 } });
    case 'text':
      return 'just a text';
    case 'nothing':
      return undefined;
    default:
      return new Error('m'.repeat(1_000_000));
  }
};

const thrower = defineNode({
  type: 'Thrower',
  category: 'odd',
  inputs: { what: string(), value: optional(link('*')) },
  outputs: [output('INT')],
  run({ what }) {
    throw odd(what);
  },
});

const returner = defineNode({
  type: 'Returner',
  category: 'odd',
  inputs: { what: string() },
  outputs: [output('INT')],
  run({ what }) {
    const returned: Record<string, unknown> = {
      number: 5,
      text: 'hello',
      'other keys': { result: [1] },
      'ui alone': { ui: { text: ['a'] } },
      promise: [Promise.resolve(1)],
      'too many': [1, 2],
      'a file outside': {
        outputs: [1],
        ui: { images: [{ filename: 'a', subfolder: '..', type: 'output' }] },
      },
      'a function in ui': { outputs: [1], ui: { text: [() => 1] } },
    };
    return returned[what] as never;
  },
});

const circular = defineNode({
  type: 'Circular',
  category: 'odd',
  inputs: {},
  outputs: [output('*')],
  run() {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    return [value];
  },
});

const scratcher = defineNode({
  type: 'Scratcher',
  category: 'odd',
  inputs: {},
  outputs: [output('INT')],
  async run(_inputs, { files }) {
    await writeFile(await files.scratchPath('txt'), 'scratch');
    for (;;);
  },
});

const slowPrint = defineNode({
  type: 'SlowPrint',
  category: 'odd',
  inputs: { ms: int() },
  outputs: [output('INT')],
  fingerprint: async ({ ms = 0 }) => await wait(ms, 'same', { ref: false }),
  run: () => [1],
});

const many = defineNode({
  type: 'Endless',
  category: 'odd',
  inputs: {},
  outputs: [output('INT')],
  run: () => ({
    outputs: [['again', 0] as never],
    expand: Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [
        n === 0 ? 'again' : `n${n}`,
        { class_type: 'Endless', inputs: {} },
      ]),
    ),
  }),
});

const showFile = defineNode({
  type: 'ShowFile',
  category: 'odd',
  outputNode: true,
  inputs: {},
  outputs: [],
  async run(_inputs, { files }) {
    const ref = { folder: 'output', subfolder: '', name: 'shown.txt' } as const;
    if (!(await files.exists(ref))) await files.create(ref, Buffer.from('shown'));
    return { outputs: [], ui: { files: [{ filename: ref.name, subfolder: '', type: 'output' }] } };
  },
});

const hidesFile = defineNode({
  type: 'HidesFile',
  category: 'odd',
  description: 'Expands into a node that shows a file.',
  inputs: {},
  outputs: [output('INT')],
  run: () => ({ outputs: [1], expand: { file: { class_type: 'ShowFile', inputs: {} } } }),
});

class Unwritable {
  readonly data: Float32Array;
  constructor(data: Float32Array) {
    this.data = data;
  }
  toJSON(): never {
    throw new Error('This is not written as JSON.');
  }
}

const constantBuffer = defineNode({
  type: 'ConstantBuffer',
  category: 'odd',
  description: 'Expands into a node that has a buffer as a constant.',
  inputs: {},
  outputs: [],
  outputNode: true,
  run(_inputs, { memory }) {
    const buffer = new Unwritable(memory.floats(3).fill(7));
    return { outputs: [], expand: { shown: { class_type: 'ShowBuffer', inputs: { buffer } } } };
  },
});

const lateChoice = defineNode({
  type: 'LateChoice',
  category: 'odd',
  inputs: { one: link('*', { lazy: true }), two: link('*', { lazy: true }) },
  outputs: [output('*')],
  needs: async () => await wait(1, ['two'] as const, { ref: false }),
  run: ({ two }) => [two],
});

const takesImage = defineNode({
  type: 'TakesImage',
  category: 'odd',
  inputs: { image: optional(link('IMAGE')), either: optional(link('IMAGE,MASK')) },
  outputs: [output('INT')],
  run: () => [1],
});

const environment = defineNode({
  type: 'Environment',
  category: 'odd',
  notIdempotent: true,
  inputs: { name: string() },
  outputs: [output('STRING')],
  // oxlint-disable-next-line node/no-process-env -- it is what is asked for
  run: ({ name }) => [process.env[name] ?? ''],
  fingerprint: () => Number.NaN,
});

const moody = defineNode({
  type: 'Moody',
  category: 'odd',
  description: 'Has a check that does what its word says.',
  inputs: { word: string(), seed: optional(bigInt()) },
  outputs: [output('STRING')],
  validate: {
    inputs: ['word'],
    async check({ word = '', seed }) {
      if (word === 'please') return true;
      if (word === 'no') return false;
      if (word === 'long') return 'long'.repeat(10_000);
      if (word === 'throw') throw new NodeError('ValueError', 'a sentence');
      if (word === 'exit') process.exit(0);
      if (word === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
      if (word === 'spin') while (word.length > 0);
      if (word === 'late throw')
        setTimeout(() => {
          throw new Error('too late');
        }, 10);
      if (word !== 'now') await new Promise(() => {});
      return `say please, ${seed}`;
    },
  },
  run: ({ word }) => [word],
});

export const pack = definePack({
  name: 'odd',
  nodes: [
    talker,
    slowBuffer,
    lateThrow,
    crash,
    processId,
    starter,
    printer,
    thrower,
    returner,
    circular,
    scratcher,
    slowPrint,
    many,
    showFile,
    hidesFile,
    constantBuffer,
    lateChoice,
    takesImage,
    environment,
    moody,
  ],
});

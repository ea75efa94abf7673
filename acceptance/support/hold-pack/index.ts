import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { defineNode, definePack, link, NodeError, optional, output, string } from '@atelier/engine';

const STEP_MS = 5;

/** Runs until its job is cancelled or the file that it names is there: so a test decides when a job ends. */
const hold = defineNode({
  type: 'TestHold',
  category: 'test',
  inputs: { until: string({ default: '' }), source: optional(link('*')) },
  outputs: [output('STRING')],
  outputNode: true,
  async: true,
  async run({ until }: { readonly until: string }, { signal, checkpoint }) {
    while (!existsSync(until)) {
      checkpoint();
      await delay(STEP_MS, undefined, { signal });
    }
    return { outputs: ['let go'], ui: { text: ['let go'] } };
  },
});

/** The same, and tells a step of progress with a picture and a text all the while. */
const steps = defineNode({
  type: 'TestSteps',
  category: 'test',
  inputs: { until: string({ default: '' }) },
  outputs: [],
  outputNode: true,
  async: true,
  async run({ until }: { readonly until: string }, { signal, progress, showText }) {
    for (let step = 1; !existsSync(until); step += 1) {
      progress(step, 100_000, {
        type: 'image/jpeg',
        bytes: Uint8Array.of(0xff, 0xd8, step % 256, 0xff, 0xd9),
      });
      showText(`step ${step}`);
      await delay(STEP_MS, undefined, { signal });
    }
    return { outputs: [] };
  },
});

const stop = new Int32Array(new SharedArrayBuffer(4));

/** Its check keeps its process busy until the file that it names is there. Files beside that one say when it begins and ends. */
const slowCheck = defineNode({
  type: 'TestSlowCheck',
  category: 'test',
  inputs: { until: string({ default: '' }) },
  outputs: [],
  outputNode: true,
  validate: {
    inputs: ['until'],
    check({ until = '' }) {
      writeFileSync(`${until}.begun`, '');
      while (!existsSync(until)) Atomics.wait(stop, 0, 0, STEP_MS);
      writeFileSync(`${until}.ended`, '');
      return true;
    },
  },
  run: () => [],
});

/** Its check ends its process, or throws. */
const badCheck = defineNode({
  type: 'TestBadCheck',
  category: 'test',
  inputs: { signal: string({ default: '' }) },
  outputs: [],
  outputNode: true,
  validate: {
    inputs: ['signal'],
    check({ signal = '' }) {
      if (signal === '') throw new NodeError('ValueError', 'The signal is missing.');
      process.kill(process.pid, signal);
      return 'It lives.';
    },
  },
  run: () => [],
});

/** Ends its process, as a fault in a native library or the system does. */
const crash = defineNode({
  type: 'TestCrash',
  category: 'test',
  inputs: { signal: string({ default: '' }) },
  outputs: [],
  outputNode: true,
  run({ signal }: { readonly signal: string }) {
    process.kill(process.pid, signal);
    return [];
  },
});

export const pack = definePack({ name: 'test-hold', nodes: [hold, steps, slowCheck, badCheck, crash] });

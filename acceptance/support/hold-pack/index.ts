import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { defineNode, definePack, link, optional, output, string } from '@atelier/engine';

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

export const pack = definePack({ name: 'test-hold', nodes: [hold] });

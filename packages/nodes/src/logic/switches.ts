import {
  autogrow,
  boolean,
  combo,
  defineNode,
  link,
  matchOutput,
  matchType,
  optional,
  output,
} from '@atelier/engine';
import { isTruthy } from '../values/python-text.ts';

const category = 'utilities/logic';

export const switchNode = defineNode({
  type: 'ComfySwitchNode',
  title: 'If/Else Switch',
  category,
  description: 'Passes one of two values on. Only the one that is chosen is computed.',
  searchAliases: ['if', 'then', 'switch', 'conditional', 'branch'],
  experimental: true,
  inputs: {
    switch: boolean(),
    on_false: optional(matchType('switch', { lazy: true })),
    on_true: optional(matchType('switch', { lazy: true })),
  },
  outputs: [matchOutput('switch', { name: 'output' })],
  needs(inputs) {
    const chosen = inputs.switch === true ? 'on_true' : 'on_false';
    return inputs[chosen] === undefined ? [chosen] : [];
  },
  run(inputs) {
    // Without a computed value, the dependents get none.
    return [(inputs.switch ? inputs.on_true : inputs.on_false) ?? null];
  },
});

export const notNode = defineNode({
  type: 'ComfyNotNode',
  title: 'Not',
  category,
  description: 'True for what Python takes for false: zero, nothing, an empty text or list.',
  searchAliases: ['invert', 'toggle', 'negate', 'flip boolean'],
  inputs: { value: link('*') },
  outputs: [output('BOOLEAN')],
  run: ({ value }) => [!isTruthy(value)],
});

const values = autogrow(link('*'), { prefix: 'value', min: 1, max: 10 });

export const andNode = defineNode({
  type: 'ComfyAndNode',
  title: 'And',
  category,
  description: 'True when all values are true as Python sees them.',
  searchAliases: ['all', 'every'],
  inputs: { values },
  outputs: [output('BOOLEAN')],
  run: ({ values: all }) => [Object.values(all).every(isTruthy)],
});

export const orNode = defineNode({
  type: 'ComfyOrNode',
  title: 'Or',
  category,
  description: 'True when one of the values is true as Python sees them.',
  searchAliases: ['any', 'some'],
  inputs: { values },
  outputs: [output('BOOLEAN')],
  run: ({ values: all }) => [Object.values(all).some(isTruthy)],
});

export const customCombo = defineNode({
  type: 'CustomCombo',
  title: 'Custom Combo',
  category: 'utilities',
  description: 'A list of choices that the user writes.',
  experimental: true,
  acceptsAll: true,
  inputs: { choice: combo([]) },
  outputs: [output('STRING', { name: 'STRING' }), output('INT', { name: 'INDEX' })],
  // Only the editor knows the choices.
  validate: { inputs: 'all', check: { kind: 'any' } },
  run(inputs) {
    const index: unknown = 'index' in inputs ? inputs.index : 0;
    return [inputs.choice, typeof index === 'number' ? index : 0];
  },
});

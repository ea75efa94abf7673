import { asInteger, bigInt, boolean, defineNode, float, output, string } from '@atelier/engine';

const MAX_INTEGER = 2n ** 63n - 1n;

const category = 'utilities/primitive';

const TEXT_ALIASES = ['text', 'string', 'text box', 'prompt'];

export const primitiveString = defineNode({
  type: 'PrimitiveString',
  title: 'Text',
  category,
  description: 'A text.',
  searchAliases: TEXT_ALIASES,
  inputs: { value: string({ multiline: false }) },
  outputs: [output('STRING')],
  run: ({ value }) => [value],
});

export const primitiveStringMultiline = defineNode({
  type: 'PrimitiveStringMultiline',
  title: 'Text (Multiline)',
  category,
  essentialsCategory: 'Basics',
  description: 'A text of several lines.',
  searchAliases: TEXT_ALIASES,
  inputs: { value: string({ multiline: true }) },
  outputs: [output('STRING')],
  run: ({ value }) => [value],
});

export const primitiveInt = defineNode({
  type: 'PrimitiveInt',
  title: 'Int',
  category,
  description: 'A whole number.',
  inputs: { value: bigInt({ min: -MAX_INTEGER, max: MAX_INTEGER, control_after_generate: true }) },
  outputs: [output('INT')],
  run: ({ value }) => [asInteger(value)],
});

export const primitiveFloat = defineNode({
  type: 'PrimitiveFloat',
  title: 'Float',
  category,
  description: 'A number.',
  inputs: { value: float({ min: -MAX_INTEGER, max: MAX_INTEGER, step: 0.1, round: 0.0001 }) },
  outputs: [output('FLOAT')],
  run: ({ value }) => [value],
});

export const primitiveBoolean = defineNode({
  type: 'PrimitiveBoolean',
  title: 'Boolean',
  category,
  description: 'True or false.',
  inputs: { value: boolean() },
  outputs: [output('BOOLEAN')],
  run: ({ value }) => [value],
});

export const seedNode = defineNode({
  type: 'SeedNode',
  title: 'Seed',
  category: 'utilities',
  description: 'A number that decides about randomness.',
  searchAliases: ['seed', 'random'],
  inputs: { seed: bigInt({ min: 0, max: MAX_INTEGER, control_after_generate: true }) },
  outputs: [output('INT', { name: 'seed' })],
  run: ({ seed }) => [asInteger(seed)],
});

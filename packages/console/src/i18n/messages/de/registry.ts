import type { Messages } from '../en/index.ts';

export const registry: Messages['registry'] = {
  title: 'Registry',
};

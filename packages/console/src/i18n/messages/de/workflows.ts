import type { Messages } from '../en/index.ts';

export const workflows: Messages['workflows'] = {
  title: 'Workflows',
};

import type { Messages } from '../en/index.ts';

export const jobs: Messages['jobs'] = {
  title: 'Jobs',
};

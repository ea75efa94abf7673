import type { Messages } from '../en/index.ts';

export const workers: Messages['workers'] = {
  title: 'Worker',
};

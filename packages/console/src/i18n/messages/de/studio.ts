import type { Messages } from '../en/index.ts';

export const studio: Messages['studio'] = {
  title: 'Studio',
};

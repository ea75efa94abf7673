import type { Messages } from '../en/index.ts';

export const gallery: Messages['gallery'] = {
  title: 'Galerie',
};

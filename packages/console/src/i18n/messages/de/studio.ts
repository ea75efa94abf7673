import type { Messages } from '../en/index.ts';

export const studio: Messages['studio'] = {
  title: 'Studio',
  tools: { skin: 'Haut verbessern', relight: 'Neu beleuchten', video: 'Video erzeugen' },
};

import { httpLoad } from '../http-load.ts';
import type { Row } from '../row.ts';

/** What our hooks, request ids and metrics cost when there is nothing else to do. */
export const rows: readonly Row[] = [
  {
    kind: 'ratio',
    name: 'health',
    prepare: async ({ ours, bare }) => ({
      ours: httpLoad(ours, { path: '/health' }),
      bare: httpLoad(bare, { path: '/bare' }),
    }),
  },
];

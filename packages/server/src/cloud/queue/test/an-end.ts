import type { JobEnd } from '../job-queue.ts';

export const AN_END: JobEnd = {
  status: 'completed',
  outputs: '{"9":{"images":[]}}',
  meta: '{"9":{}}',
  events: '[{"id":"1-1"}]',
  timeline: null,
  error: null,
  outputsCount: 2,
  previewableOutputsCount: 1,
  previewOutput: '{"filename":"a.png"}',
  outputTypes: ' image ',
};

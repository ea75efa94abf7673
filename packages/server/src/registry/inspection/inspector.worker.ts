import { parentPort } from 'node:worker_threads';

import { inspectArchive } from './inspect-archive.ts';
import type { InspectionLimits } from './limits.ts';

export interface InspectionTask {
  readonly archive: Uint8Array;
  readonly limits: InspectionLimits;
}

parentPort?.on('message', (task: InspectionTask) => {
  // A fault of ours rejects, which ends the thread, which the pool reports.
  void answer(task);
});

async function answer({ archive, limits }: InspectionTask): Promise<void> {
  const inspection = await inspectArchive(archive, limits);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  parentPort?.postMessage(inspection);
}

import { answerTasks } from '@atelier/engine/threads';

import { inspectArchive } from './inspect-archive.ts';
import type { Inspection } from './inspection.ts';
import type { InspectionLimits } from './limits.ts';

export interface InspectionTask {
  readonly archive: Uint8Array;
  readonly limits: InspectionLimits;
}

answerTasks<InspectionTask, Inspection>(async ({ archive, limits }) => await inspectArchive(archive, limits));

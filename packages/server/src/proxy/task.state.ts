import type { TaskState } from '@atelier/contracts';

import type { Transitions } from '../platform/transitions.ts';

/** A task that fails early passes the states between, so that a webhook sees all of them. A lost runner changes no state. */
export const TASK_TRANSITIONS = {
  created: ['queued'],
  queued: ['running'],
  running: ['done', 'failed'],
  done: [],
  failed: [],
} as const satisfies Transitions<TaskState>;

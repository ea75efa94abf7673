import type { TaskState } from '../platform/db/schema/proxy.ts';
import type { Transitions } from '../platform/transitions.ts';

/** What fails early passes the states between, so that who is told of each sees none left out. Final states never change. A lost runner changes no state: the next one goes on from there. */
export const TASK_TRANSITIONS = {
  created: ['queued'],
  queued: ['running'],
  running: ['done', 'failed'],
  done: [],
  failed: [],
} as const satisfies Transitions<TaskState>;

export const IMAGE_STATUS = {
  created: 'CREATED',
  queued: 'CREATED',
  running: 'IN_PROGRESS',
  done: 'COMPLETED',
  failed: 'FAILED',
} as const satisfies Record<TaskState, string>;

export const VIDEO_STATE = {
  created: 'created',
  queued: 'queueing',
  running: 'processing',
  done: 'success',
  failed: 'failed',
} as const satisfies Record<TaskState, string>;

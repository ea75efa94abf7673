import { toJson } from '@atelier/engine';

import type { QueueCounts } from '../queue/job-queue.ts';
import type { KeptEvent } from './live-jobs.ts';
import type { MessageEvent } from './user-event.ts';

const ENDINGS = new Set(['execution_success', 'execution_error', 'execution_interrupted']);

/** The counts of the user's queue. The first message of a socket also has its name, `sid`. */
export function statusEvent({ waiting, running }: QueueCounts, sid?: string): MessageEvent {
  const queue_remaining = waiting + running;
  const data = {
    status: { exec_info: { queue_remaining } },
    queue_remaining,
    ...(sid === undefined ? {} : { sid }),
  };
  return { kind: 'message', type: 'status', data: JSON.stringify(data), replaceable: true };
}

export function notificationEvent(jobId: string, text: string): MessageEvent {
  const data = JSON.stringify({ value: text, id: jobId, prompt_id: jobId });
  return { kind: 'message', type: 'notification', jobId, data, replaceable: false };
}

export function keptMessage(jobId: string, { id, type, data }: KeptEvent): MessageEvent {
  return { kind: 'message', type, jobId, data: toJson(data), id, replaceable: false };
}

/** Clients of ComfyUI take this message as the end of a job. */
export function endMarker(jobId: string): MessageEvent {
  const data = JSON.stringify({ node: null, prompt_id: jobId });
  return { kind: 'message', type: 'executing', jobId, data, replaceable: false };
}

/** Kept `executing` messages have an id; the marker has none. */
export function isEndMarker(event: MessageEvent): boolean {
  return event.type === 'executing' && event.id === undefined;
}

export function isEnding(type: string): boolean {
  return ENDINGS.has(type);
}

/** Whether only the end marker follows. After "execution blocked", an error without a timestamp, the job continues. */
export function isFinal({ type, data }: { readonly type: string; readonly data: unknown }): boolean {
  if (type !== 'execution_error') return isEnding(type);
  return typeof data === 'object' && data !== null && 'timestamp' in data && data.timestamp !== undefined;
}

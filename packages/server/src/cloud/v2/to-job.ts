import type { V2Job, V2JobError, V2Output, V2Progress, V2Status } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';

import { toIso } from '../../platform/clock.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import type { V2JobRow } from './jobs.repo.ts';

const STATUS: Readonly<Record<JobStatus, V2Status>> = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
};

/** For fields that must have a date. */
export const NEVER = '9999-12-31T23:59:59.000Z';

const CODE_OF_TYPE: Readonly<Record<string, string>> = {
  OOMError: 'out_of_memory',
  StorageFull: 'storage_full',
  DiskFull: 'disk_full',
};

interface Beside {
  readonly queuePosition: number | null;
  readonly progress: V2Progress | null;
  readonly outputs: V2Output[];
  /** How long a job is kept after it has ended; 0 forever. */
  readonly keptMs: number;
}

export function toStatus(status: JobStatus): V2Status {
  return STATUS[status];
}

export function toJob(row: V2JobRow, { queuePosition, progress, outputs, keptMs }: Beside): V2Job {
  const self = `/api/v2/jobs/${row.id}`;
  // A job that was returned to the queue has a start time, but waits again.
  const startedAt = row.status === 'pending' ? null : row.started_at;
  return {
    id: row.id,
    status: toStatus(row.status),
    created_at: toIso(row.created_at),
    started_at: isoOrNull(startedAt),
    completed_at: isoOrNull(row.ended_at),
    expires_at: keptMs === 0 ? NEVER : toIso((row.ended_at ?? row.created_at) + keptMs),
    queue_position: queuePosition,
    progress,
    outputs,
    error: row.error === null ? null : toError(row.error),
    urls: { self, events: `${self}/events`, cancel: `${self}/cancel`, logs: `${self}/logs` },
    metrics: {
      queue_ms: startedAt === null ? null : Math.max(0, startedAt - row.created_at),
      execution_ms: row.execution_ms,
    },
    metadata: toMetadata(row.metadata),
  };
}

export function toMetadata(text: string): Record<string, string> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : toIso(time);
}

/** Reads the data of an `execution_error`. */
export function toError(text: string): V2JobError {
  const data = parseJsonOrUndefined(text);
  const said = (name: string): string => {
    const value = isObject(data) ? data[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const trace = isObject(data) && Array.isArray(data['traceback']) ? data['traceback'].join('') : '';
  const [nodeId, type] = [said('node_id'), said('exception_type')];
  return {
    code: CODE_OF_TYPE[type] ?? (nodeId === '' ? 'execution_error' : 'node_execution_error'),
    message: `${type === '' ? '' : `${type}: `}${said('exception_message').trimEnd()}`,
    node_id: nodeId || null,
    class_type: said('node_type') || null,
    traceback: trace || null,
  };
}

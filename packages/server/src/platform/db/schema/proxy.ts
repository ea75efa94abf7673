import type { TaskState } from '@atelier/contracts';
import type { Generated } from 'kysely';

/** `fetch`: its pictures must be fetched. `work`: its adapter works on it. */
export type TaskStage = 'fetch' | 'work';

/** One generation at a vendor. */
export interface TaskRow {
  seq: Generated<number>;
  id: string;
  user_id: string;
  kind: string;
  /** The adapter that it was given to, which never changes. */
  adapter: string;
  state: TaskState;
  stage: TaskStage;
  /** 1 while it waits for an idle queue. */
  is_put_off: number;
  /** Its price, reserved until it ends. */
  credits: number;
  /** 0 to 100. */
  progress: number;
  /** The lease of the current step. Writes under another lease are refused. */
  lease: string | null;
  /** When its next step is due; with a lease, when that expires. `null` after its end. */
  due_at: number | null;
  /** When it fails unless it has ended. */
  deadline_at: number;
  /** How many leases have expired. */
  losses: number;
  /** How many steps in a row have failed. */
  troubles: number;
  /** How often its vendor was asked for its state. */
  looks: number;
  /** When the request that begins it may have left; `null` before, and if it certainly did not arrive. */
  sent_at: number | null;
  vendor_task_id: string | null;
  error_code: string | null;
  error_message: string | null;
  webhook_url: string | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
  /** The seed of everything random. */
  seed: number;
  /** The accepted request without pictures, as JSON. */
  settings: string;
  /** What answers show where the settings differ from the request, as JSON. */
  shown: string;
  /** Returned to the caller unchanged. */
  payload: string | null;
}

/** An input picture of a task, or a file that it made. */
export interface TaskFileRow {
  seq: Generated<number>;
  task_seq: number;
  /** The field of an input. For results `picture`, `video`, `watermarked` or `cover`. */
  role: string;
  is_input: number;
  /** The URL of an input, if the request had one. */
  url: string | null;
  /** `null` until it is fetched. */
  hash: string | null;
  media_type: string | null;
  size: number | null;
}

/** An `Idempotency-Key` and its task. */
export interface TaskKeyRow {
  user_id: string;
  key: string;
  task_id: string;
  body_hash: string;
  created_at: number;
}

export interface ProxyTables {
  tasks: TaskRow;
  task_files: TaskFileRow;
  task_keys: TaskKeyRow;
}

import type { TaskState } from '@atelier/contracts';
import type { Generated } from 'kysely';

/** `fetch`: its pictures are to be fetched. `work`: it is for its adapter. */
export type TaskStage = 'fetch' | 'work';

/** One generation at a vendor. */
export interface TaskRow {
  seq: Generated<number>;
  id: string;
  user_id: string;
  kind: string;
  /** Which way of generating it was given to; it stays with it. */
  adapter: string;
  state: TaskState;
  stage: TaskStage;
  /** 1 while it waits for the queue to be idle. */
  is_put_off: number;
  /** What it costs, reserved until it ends. */
  credits: number;
  /** 0 to 100. */
  progress: number;
  /** Whose step is under way. Who writes under another lease is refused. */
  lease: string | null;
  /** When it is looked at next. With a lease: when that one runs out. `null` once it has ended. */
  due_at: number | null;
  /** When it fails if it has not ended. */
  deadline_at: number;
  /** How many leases ran out. */
  losses: number;
  /** How many steps in a row met with trouble. */
  troubles: number;
  /** How often its vendor was asked how it stands. */
  looks: number;
  /** Since then a request that begins it may have left; `null` before, and after one that surely did not arrive. */
  sent_at: number | null;
  vendor_task_id: string | null;
  error_code: string | null;
  error_message: string | null;
  webhook_url: string | null;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
  /** Whatever is left to chance follows from it. */
  seed: number;
  /** JSON: the request as accepted, without pictures. */
  settings: string;
  /** JSON: what answers say where the settings differ from what was asked for. */
  shown: string;
  /** What the caller wants to have back as it is. */
  payload: string | null;
}

/** A picture that a task was given, or a file that it made. */
export interface TaskFileRow {
  seq: Generated<number>;
  task_seq: number;
  /** Of an input: its field. Of a result: `picture`, `video`, `watermarked`, `cover`. */
  role: string;
  is_input: number;
  /** Where an input is to be fetched, if the request had an address. */
  url: string | null;
  /** `null` while it is not fetched. */
  hash: string | null;
  media_type: string | null;
  size: number | null;
}

/** The use of an idempotency key. */
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

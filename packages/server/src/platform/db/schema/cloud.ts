import type { Generated } from 'kysely';

export type JobStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** One run of a workflow: what the queue and the lists need. What is large has tables of its own, written once. */
export interface JobRow {
  /** The order of arrival, and the `number` that the host application speaks of. */
  seq: Generated<number>;
  id: string;
  user_id: string;
  status: JobStatus;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** From the start of the last attempt to the end. */
  execution_ms: number | null;
  /** How often a runner has begun it. Whoever writes for an older attempt is refused. */
  attempt: number;
  /** How many of the attempts were put back to make room for other accounts. */
  put_backs: Generated<number>;
  /** Which server runs it, and until when nobody else may. */
  runner: string | null;
  lease_until: number | null;
  /** The key of what its worker must have; `null` for any worker. */
  needs: string | null;
  /** The worker on another machine that runs it. */
  worker: string | null;
  client_id: string | null;
  workflow_id: string | null;
  /** What its submitter calls the workflow. */
  workflow_name: string | null;
  /** Of its submitter, each between commas: `,a,b,`. */
  tags: Generated<string>;
  /** Of the Comfy API v2, as a JSON object of texts; empty for none. */
  metadata: Generated<string>;
  /** 8 bytes of a hash for each tag and each pair of metadata, by which lists filter; `null` for none. */
  filter_hashes: Uint8Array | null;
  webhook_url: string | null;
  /** JSON list of the states that are told. */
  webhook_events: string | null;
  /** Why it failed, as JSON: the data of its `execution_error`. */
  error: string | null;
  outputs_count: number;
  previewable_outputs_count: number;
  /** JSON: the output that stands for the job in lists. */
  preview_output: string | null;
  /** Kinds of media among the outputs, each between blanks: ` image video `. */
  output_types: string;
  /** 1 once its owner has deleted it from the history. */
  hidden: number;
  /** What its outputs and messages take, counted in the owner's line. */
  result_bytes: Generated<number>;
}

/** What was asked for. */
export interface JobRequestRow {
  job_seq: number;
  /** JSON, as all below. */
  graph: string;
  targets: string;
  node_order: string;
  /** Without credentials. */
  extra_data: string;
  /** The submitter's key for partner nodes, sealed; gone when the job ends. */
  partner_key: Uint8Array | null;
}

/** What came of it, written when it ends. */
export interface JobResultRow {
  job_seq: number;
  outputs: string;
  meta: string;
  /** Messages about the job in order, progress left out: a list of `{id, type, data}`. */
  events: string;
  /** When its nodes ran and what they said, as `JobTimeline`. */
  timeline: string | null;
}

/** The line of one user. Locked before any of the user's jobs changes its state, so its numbers are exact. */
export interface JobQueueRow {
  user_id: string;
  waiting: number;
  running: number;
  max_running: number;
  /** When a job of this user was last begun; who has waited longest is next. */
  last_started: number;
  /** What the outputs and messages of all the user's jobs take. */
  result_bytes: Generated<number>;
  /** Goes up when lists of the user's jobs may have changed. */
  list_revision: Generated<number>;
}

/** An `Idempotency-Key` and the job it made. */
export interface JobKeyRow {
  user_id: string;
  key: string;
  job_id: string;
  /** Of the body, so that a key is not used for another request. */
  body_hash: string;
  /** JSON: what the first answer said of the nodes. */
  node_errors: string;
  created_at: number;
}

/** A file of a user: an upload, an output or a preview. */
export interface AssetRow {
  id: string;
  user_id: string;
  folder: 'input' | 'output' | 'temp';
  subfolder: string;
  file_name: string;
  /** What people call it. */
  name: string;
  /** SHA-256, its name in the file store. */
  content_hash: string;
  /** BLAKE3 in hex, as public clients name contents. */
  blake3: string;
  size: number;
  media_type: string;
  /** JSON object. */
  user_metadata: string;
  metadata: string;
  preview_id: string | null;
  job_id: string | null;
  node_id: string | null;
  output_key: string | null;
  output_index: number | null;
  created_at: number;
  updated_at: number;
  last_access_at: number;
  /** When it goes by itself; `null` for what stays. */
  expires_at: number | null;
  /** Of a picture, in pixels; `null` until it was measured, 0 when it cannot be. */
  width: number | null;
  height: number | null;
}

export interface AssetTagRow {
  asset_id: string;
  user_id: string;
  tag: string;
}

/** What a user's files take, kept beside them so that one guarded update decides. */
export interface StorageUseRow {
  user_id: string;
  files: number;
  bytes: number;
}

/** A finished file of an attempt that no output has named yet. It has its name and its bytes, and nothing else. */
export interface MadeFileRow
  extends Pick<
    AssetRow,
    | 'user_id'
    | 'folder'
    | 'subfolder'
    | 'file_name'
    | 'content_hash'
    | 'blake3'
    | 'size'
    | 'media_type'
    | 'created_at'
  > {
  job_id: string;
}

/** A part of a file that a worker sends. */
export interface MadePartRow {
  job_id: string;
  /** The same for all parts of a file. */
  name: string;
  /** Its first byte. */
  start: number;
  content_hash: string;
  size: number;
  created_at: number;
}

export interface UsedUploadGrantRow {
  id: string;
  used_at: number;
}

export interface CloudTables {
  jobs: JobRow;
  job_requests: JobRequestRow;
  job_results: JobResultRow;
  job_queues: JobQueueRow;
  job_keys: JobKeyRow;
  assets: AssetRow;
  asset_tags: AssetTagRow;
  storage_use: StorageUseRow;
  made_files: MadeFileRow;
  made_parts: MadePartRow;
  used_upload_grants: UsedUploadGrantRow;
}

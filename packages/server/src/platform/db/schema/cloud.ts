import type { Generated } from 'kysely';

export type JobStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** One run of a workflow, as the queue and the lists need it. Large values have their own tables, written once. */
export interface JobRow {
  /** The order of arrival, which is the `number` of the host application. */
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
  /** How often a runner has begun it. Writes for an older attempt are refused. */
  attempt: number;
  /** How many of the attempts were put back to make room for other accounts. */
  put_backs: Generated<number>;
  /** The server that runs it, and until when no other server may. */
  runner: string | null;
  lease_until: number | null;
  /** The key of its `JobNeedsRow`; `null` if any worker can run it. */
  needs: string | null;
  /** The worker on another machine that runs it. */
  worker: string | null;
  client_id: string | null;
  workflow_id: string | null;
  /** The submitter's name for the workflow. */
  workflow_name: string | null;
  /** The submitter's tags between commas: `,a,b,`. */
  tags: Generated<string>;
  /** Metadata of the Comfy API v2: a JSON object of texts, or empty. */
  metadata: Generated<string>;
  /** For filters of lists: an 8-byte hash for each tag and each pair of metadata; `null` for none. */
  filter_hashes: Uint8Array | null;
  webhook_url: string | null;
  /** JSON list of the states that are sent. */
  webhook_events: string | null;
  /** The data of its `execution_error`, as JSON. */
  error: string | null;
  outputs_count: number;
  previewable_outputs_count: number;
  /** The output that represents the job in lists, as JSON. */
  preview_output: string | null;
  /** The media kinds of the outputs between blanks: ` image video `. */
  output_types: string;
  /** 1 after its owner has deleted it from the history. */
  hidden: number;
  /** Size of its outputs and messages, included in that of the owner's line. */
  result_bytes: Generated<number>;
}

/** What a job was asked to do. */
export interface JobRequestRow {
  job_seq: number;
  /** JSON, like all below. */
  graph: string;
  targets: string;
  node_order: string;
  /** Without credentials. */
  extra_data: string;
  /** The submitter's sealed key for partner nodes, deleted when the job ends. */
  partner_key: Uint8Array | null;
}

/** The result of a job, written when it ends. */
export interface JobResultRow {
  job_seq: number;
  outputs: string;
  meta: string;
  /** Messages about the job in order, without progress: a list of `{id, type, data}`. */
  events: string;
  /** When its nodes ran and what they reported: a `JobTimeline`. */
  timeline: string | null;
}

/** The line of one user. Its numbers are exact, because it is locked before a job of the user changes its state. */
export interface JobQueueRow {
  user_id: string;
  waiting: number;
  running: number;
  max_running: number;
  /** When a job of this user was last begun. The user who has waited longest is next. */
  last_started: number;
  /** Size of the outputs and messages of all jobs of the user. */
  result_bytes: Generated<number>;
  /** Goes up when lists of the user's jobs may have changed. */
  list_revision: Generated<number>;
}

/** An `Idempotency-Key` and its job. */
export interface JobKeyRow {
  user_id: string;
  key: string;
  job_id: string;
  /** Hash of the body, to refuse the key for another request. */
  body_hash: string;
  /** `node_errors` of the first answer, as JSON. */
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
  /** The display name. */
  name: string;
  /** SHA-256, its name in the file store. */
  content_hash: string;
  /** BLAKE3 in hex, which public clients use. */
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
  /** When it is deleted automatically; `null` for never. */
  expires_at: number | null;
  /** Size of a picture in pixels; `null` until it is measured, 0 if it cannot be. */
  width: number | null;
  height: number | null;
}

export interface AssetTagRow {
  asset_id: string;
  user_id: string;
  tag: string;
}

/** The total of a user's files, in a row of its own so that one guarded update decides. */
export interface StorageUseRow {
  user_id: string;
  files: number;
  bytes: number;
}

/** A finished file of an attempt that is not part of an output yet. */
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

/** A part of a file from a worker. */
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

/** The credential of workers. */
export interface WorkerTokenRow {
  id: string;
  name: string;
  /** JSON list of the allowed labels; `null` for any. */
  labels: string | null;
  secret_hash: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
}

/**
 * A connected worker as shown to people; its server has the truth. Rows without a server keep what disconnected ComfyUI workers
 * offered last, by name.
 */
export interface WorkerRow {
  /** New at each start of the worker. */
  instance: string;
  server: string;
  token_id: string;
  /** JSON. */
  about: string;
  /** What an administrator has requested, until its server has done it. JSON. */
  wanted: string;
  seen_at: number;
}

/** Workers with this token and name get no jobs. */
export interface WorkerQuarantineRow {
  token_id: string;
  name: string;
  reason: string;
}

/** A description of node types, which workers refer to by hash. */
export interface NodeTypeSetRow {
  hash: string;
  body: string;
  last_used_at: number;
}

/** What a job needs of its worker, shared by many jobs. */
export interface JobNeedsRow {
  key: string;
  body: string;
  last_used_at: number;
}

export interface WorkersTables {
  job_needs: JobNeedsRow;
  worker_quarantines: WorkerQuarantineRow;
  worker_tokens: WorkerTokenRow;
  workers: WorkerRow;
  node_type_sets: NodeTypeSetRow;
}

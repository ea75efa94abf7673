/** What a worker shows to be let in. */
export interface WorkerTokenRow {
  id: string;
  name: string;
  /** JSON list of the labels that its workers may have; `null` for any. */
  labels: string | null;
  secret_hash: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
}

/**
 * A connected worker, for people: the server that it is connected to writes it and knows better. Rows without a server keep what
 * ComfyUI workers offered last, by their names, for the time when they are away.
 */
export interface WorkerRow {
  /** New at each start of its process. */
  instance: string;
  server: string;
  token_id: string;
  /** JSON. */
  about: string;
  /** What an administrator wants of it, until its server has done it. JSON. */
  wanted: string;
  seen_at: number;
}

/** An administrator gives no jobs to workers with this token and name. */
export interface WorkerQuarantineRow {
  token_id: string;
  name: string;
  reason: string;
}

/** A description of node types, which workers offer by its hash. */
export interface NodeTypeSetRow {
  hash: string;
  body: string;
  last_used_at: number;
}

/** What a worker must have for a job. Many jobs need the same. */
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

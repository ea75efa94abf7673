/** Messages about a running job, as they go over the WebSocket: `{ type, data }` with the data below. */
export interface JobMessages {
  execution_start: { readonly prompt_id: string; readonly timestamp: number };
  execution_cached: {
    readonly nodes: readonly string[];
    readonly prompt_id: string;
    readonly timestamp: number;
  };
  executing: {
    readonly node: string;
    readonly display_node: string;
    readonly prompt_id: string;
  };
  progress: {
    readonly value: number;
    readonly max: number;
    readonly prompt_id: string;
    readonly node: string;
  };
  progress_state: {
    readonly prompt_id: string;
    readonly nodes: Readonly<Record<string, NodeProgress>>;
  };
  executed: {
    readonly node: string;
    readonly display_node: string;
    /** What the node shows; null for a cached node that shows nothing. */
    readonly output: Readonly<Record<string, readonly unknown[]>> | null;
    readonly prompt_id: string;
  };
  execution_success: { readonly prompt_id: string; readonly timestamp: number };
  execution_error: ExecutionErrorData;
  execution_interrupted: {
    readonly prompt_id: string;
    readonly node_id: string;
    readonly node_type: string;
    readonly executed: readonly string[];
    readonly timestamp: number;
  };
}

interface NodeOfJob {
  readonly node_id: string;
  readonly prompt_id: string;
  readonly display_node_id: string;
  /** Null unless another node expanded into this one. */
  readonly parent_node_id: string | null;
  readonly real_node_id: string;
}

export interface NodeProgress extends NodeOfJob {
  readonly value: number;
  readonly max: number;
  readonly state: 'pending' | 'running' | 'finished' | 'error';
}

export interface ExecutionErrorData {
  readonly prompt_id: string;
  readonly node_id: string;
  readonly node_type: string;
  readonly executed: readonly string[];
  readonly exception_message: string;
  readonly exception_type: string;
  readonly traceback: readonly string[];
  readonly current_inputs: Readonly<Record<string, readonly unknown[]>>;
  readonly current_outputs: readonly string[];
  /** Absent when the job goes on, as it does after "execution blocked". */
  readonly timestamp?: number;
}

/** The JSON part of a preview frame. */
export interface PreviewData extends NodeOfJob {
  readonly image_type: 'image/jpeg' | 'image/png';
}

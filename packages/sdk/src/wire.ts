// Made from packages/contracts by `npm run generate`. Change it there.

/* oxlint-disable max-lines */

export interface AccessToken {
  /** A JWT signed with a key of `/.well-known/jwks.json`. */
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
}

export interface Account {
  id: string;
  email: string;
  name: string;
  role: 'user' | 'admin';
  status: 'active' | 'banned';
  ban_reason?: string;
  created_at: string;
  subscription: Subscription;
  /** Present balance. */
  credits: number;
}

export interface AccountPage {
  total: number;
  users: Account[];
  page: number;
  limit: number;
  totalPages: number;
}

export interface AccountUse {
  storage: {
    used_bytes: number;
    quota_bytes: number;
    /** Uploads, outputs and files of tasks. */
    files: number;
    /** With `by_kind=true`: assets, the largest first. The rest of `used_bytes` are files of tasks and results of jobs. */
    by_kind?: {
      folder: 'input' | 'output' | 'temp';
      kind: 'picture' | 'video' | 'audio' | 'other';
      files: number;
      bytes: number;
    }[];
  };
  jobs: {
    waiting: number;
    running: number;
    /** Jobs that may run at once now. */
    max_running: number;
  };
}

export interface AdminJobPage {
  /** Newest first. */
  jobs: {
    id: string;
    /** The order of arrival. */
    number: number;
    user: {
      id: string;
      email?: string;
    };
    status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
    created_at: string;
    started_at?: string;
    ended_at?: string;
    /** How often it was started. */
    attempt: number;
    /** Which server runs it. */
    runner?: string;
    /** Why it failed. */
    error_message?: string;
  }[];
  /** Pass it as `before` for the next page. */
  next_before?: number;
}

export interface AdminNewPack {
  id: string;
  publisher: {
    id: string;
  };
  /** An empty name changes nothing. At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 200 characters. */
  author?: string;
  /** At most 2000 characters. */
  banner_url?: string;
  /** At most 2000 characters. */
  icon?: string;
  /** Deprecated; use `tags`. At most 200 characters. */
  category?: string;
  /** At most 2000 characters. */
  license?: string;
  /** At most 2000 characters. */
  repository?: string;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
}

export interface AdminPackInput {
  /** An empty name changes nothing. At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 200 characters. */
  author?: string;
  /** At most 2000 characters. */
  banner_url?: string;
  /** At most 2000 characters. */
  icon?: string;
  /** Deprecated; use `tags`. At most 200 characters. */
  category?: string;
  /** At most 2000 characters. */
  license?: string;
  /** At most 2000 characters. */
  repository?: string;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
  /** At most 200 items. */
  tags_admin?: string[];
  /** At most 200 items. */
  preempted_node_names?: string[];
  /** At most 200 items. */
  preempted_comfy_node_names?: string[];
  /** 0 to 1000000000. */
  search_ranking?: number;
  /** 0 to 1000000000. */
  github_stars?: number;
  status?: 'NodeStatusActive' | 'NodeStatusDeleted' | 'NodeStatusBanned';
  /** At most 1000 characters. */
  status_detail?: string;
  publisher?: {
    id: string;
  };
}

export interface AdminPackVersionChanges {
  status?: 'NodeVersionStatusPending' | 'NodeVersionStatusActive' | 'NodeVersionStatusFlagged' | 'NodeVersionStatusBanned' | 'NodeVersionStatusDeleted';
  /** At most 20000 characters. */
  status_reason?: string;
  /** At most 200 items. */
  tags_admin?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
}

export interface ApiKey {
  id: string;
  name: string;
  description?: string;
  /** What the key may be used for. Absent: everything. */
  scopes?: ('workflows' | 'generation' | 'registry' | 'account' | 'admin')[];
  /** The first characters of the key, for recognizing it. */
  key_prefix: string;
  created_at: string;
}

export interface ApiKeys {
  api_keys: ApiKey[];
}

export interface Asset {
  id: string;
  /** A name for people. */
  name: string;
  display_name?: string;
  /** `blake3:` and 64 hexadecimal digits. */
  hash?: string;
  /** The same under its old name. */
  asset_hash?: string;
  /** Bytes. */
  size?: number;
  mime_type?: string;
  /** Sorted; one of them is `input`, `output` or `temp`. */
  tags: string[];
  /** Notes of its owner: at most 16 KiB as JSON, 32 levels deep. */
  user_metadata: Record<string, unknown>;
  /** Found out by the server. */
  metadata?: Record<string, unknown>;
  /** The asset that is shown instead. */
  preview_id?: string;
  /** A picture of it, for the credential of its owner. */
  preview_url?: string;
  /** A small WebP of it, which never changes; takes `size`: 256, 512 or 1024. */
  thumbnail_url?: string;
  /** Of a picture, in pixels; absent until it is measured. */
  width?: number;
  height?: number;
  /** What a node that loads files takes. */
  loader_path?: string;
  /** Folder, subfolder and file name. */
  file_path?: string;
  /** The job that made it. */
  job_id?: string;
  /** The same under its old name. */
  prompt_id?: string;
  is_immutable?: boolean;
  /** When it was created. */
  created_at: string;
  /** When its name, tags or notes last changed. */
  updated_at: string;
  /** When its content was last requested, to the hour. */
  last_access_time?: string;
}

export interface AssetCreated {
  id: string;
  /** A name for people. */
  name: string;
  display_name?: string;
  /** `blake3:` and 64 hexadecimal digits. */
  hash?: string;
  /** The same under its old name. */
  asset_hash?: string;
  /** Bytes. */
  size?: number;
  mime_type?: string;
  /** Sorted; one of them is `input`, `output` or `temp`. */
  tags: string[];
  /** Notes of its owner: at most 16 KiB as JSON, 32 levels deep. */
  user_metadata: Record<string, unknown>;
  /** Found out by the server. */
  metadata?: Record<string, unknown>;
  /** The asset that is shown instead. */
  preview_id?: string;
  /** A picture of it, for the credential of its owner. */
  preview_url?: string;
  /** A small WebP of it, which never changes; takes `size`: 256, 512 or 1024. */
  thumbnail_url?: string;
  /** Of a picture, in pixels; absent until it is measured. */
  width?: number;
  height?: number;
  /** What a node that loads files takes. */
  loader_path?: string;
  /** Folder, subfolder and file name. */
  file_path?: string;
  /** The job that made it. */
  job_id?: string;
  /** The same under its old name. */
  prompt_id?: string;
  is_immutable?: boolean;
  /** When it was created. */
  created_at: string;
  /** When its name, tags or notes last changed. */
  updated_at: string;
  /** When its content was last requested, to the hour. */
  last_access_time?: string;
  /** False when you had it already. */
  created_new: boolean;
}

export interface AssetFromHash {
  /** At most 512 characters. */
  name?: string;
  /** Notes of its owner: at most 16 KiB as JSON, 32 levels deep. */
  user_metadata?: Record<string, unknown>;
  /** Another asset of yours. */
  preview_id?: string;
  hash: string;
  /** At most 100 items. */
  tags?: string[];
  /** Accepted and ignored: the content decides. */
  mime_type?: string;
}

export interface AssetIds {
  /** At most 500 items. */
  ids: string[];
}

export interface AssetPage {
  assets: Asset[];
  /** How many there are on all pages. */
  total: number;
  has_more: boolean;
  /** `after` of the next page. */
  next_cursor?: string;
}

export interface AssetUpdate {
  /** At most 512 characters. */
  name?: string;
  /** Notes of its owner: at most 16 KiB as JSON, 32 levels deep. */
  user_metadata?: Record<string, unknown>;
  /** Another asset of yours. */
  preview_id?: string;
}

export interface AuditLog {
  entries: {
    id: number;
    at: string;
    actor: string;
    action: string;
    subject: string;
    details: Record<string, unknown>;
    actor_email?: string;
    subject_email?: string;
  }[];
  next_before?: number;
}

export interface Balance {
  balance: number;
}

export interface BulkVersions {
  node_versions: {
    identifier: {
      /** At most 100 characters. */
      node_id: string;
      /** At most 100 characters. */
      version: string;
    };
    status: 'success' | 'not_found' | 'error';
    node_version?: PackVersion;
    error_message?: string;
  }[];
}

export interface CanEdit {
  canEdit: boolean;
}

export interface ChangeCredits {
  /** Credits to add, or negative to remove. Not 0. -1000000000 to 1000000000. */
  amount: number;
  /** Shown in the ledger. Required to remove credits. At most 1000 characters. */
  reason?: string;
}

export interface ChangeWorkerToken {
  /** At most 64 characters. */
  name?: string;
  labels?: string[] | null;
}

export interface ComfyNode {
  comfy_node_name: string;
  category?: string;
  description?: string;
  deprecated: boolean;
  experimental: boolean;
  function?: string;
  /** JSON text. */
  input_types?: string;
  /** JSON text. */
  return_names?: string;
  /** JSON text. */
  return_types?: string;
  output_is_list?: boolean[];
  policy: string;
}

export interface ComfyNodePage {
  comfy_nodes: ComfyNode[];
  totalNumberOfPages: number;
  total: number;
}

export interface ComfyNodeSearch {
  comfy_nodes: ComfyNode[];
  total: number;
}

export interface CreatedApiKey {
  api_key: {
    id: string;
    name: string;
    description?: string;
    /** What the key may be used for. Absent: everything. */
    scopes?: ('workflows' | 'generation' | 'registry' | 'account' | 'admin')[];
    /** The first characters of the key, for recognizing it. */
    key_prefix: string;
    created_at: string;
    /** The key itself. It is shown only once, and stored as a hash. */
    plaintext_key: string;
  };
}

export interface CreatedPublisherToken {
  /** The token itself. It is shown only once. */
  token: string;
}

export interface CreatedWorkerToken {
  id: string;
  name: string;
  /** The only labels that workers with this token may have. Absent: any. */
  labels?: string[];
  created_at: string;
  last_used_at?: string;
  /** For `npm run worker -- --token`. It is shown once. */
  token: string;
}

export interface CreditEntry {
  id: number;
  kind: 'grant' | 'correction' | 'reserve' | 'settle' | 'return';
  /** Positive for credits received, negative for credits spent. */
  amount: number;
  balance_after: number;
  reason?: string;
  /** What the entry is for, such as a task. */
  reference: string;
  created_at: string;
}

export interface CreditLedger {
  balance: number;
  /** Newest first. */
  entries: CreditEntry[];
  /** Pass it as `before` for the next page. */
  next_before?: number;
}

export interface Delivery {
  /** The `webhook-id` of every try. */
  id: string;
  /** Such as `job:<id>`. Deliveries of one subject are sent in order. */
  subject: string;
  /** Such as `job.completed`. */
  type: string;
  url: string;
  endpoint_id: string;
  /** pending: to be sent, now or again. delivered: answered with 2xx. failed: given up. paused: waits until its endpoint is resumed. */
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  created_at: string;
  next_try_at?: string;
  delivered_at?: string;
  /** Oldest first; the last 50. */
  tries: DeliveryTry[];
}

export interface DeliveryPage {
  deliveries: Delivery[];
  next_cursor?: string;
}

export interface DeliveryTry {
  at: string;
  /** The HTTP status that the receiver answered. */
  status?: number;
  /** Why it failed. */
  error?: string;
  /** How long it took. */
  ms: number;
}

export interface DeliveryWithBody {
  /** The `webhook-id` of every try. */
  id: string;
  /** Such as `job:<id>`. Deliveries of one subject are sent in order. */
  subject: string;
  /** Such as `job.completed`. */
  type: string;
  url: string;
  endpoint_id: string;
  /** pending: to be sent, now or again. delivered: answered with 2xx. failed: given up. paused: waits until its endpoint is resumed. */
  status: 'pending' | 'delivered' | 'failed' | 'paused';
  created_at: string;
  next_try_at?: string;
  delivered_at?: string;
  /** Oldest first; the last 50. */
  tries: DeliveryTry[];
  /** The JSON text exactly as it is sent. */
  body: string;
}

export interface DeviceAuthorization {
  /** For `POST /oauth/token`; a secret of the program. */
  device_code: string;
  /** For the person: eight letters, as `BCDF-GHJK`. */
  user_code: string;
  /** Where the person enters it. */
  verification_uri: string;
  /** The same with the code, for a link or a QR code. */
  verification_uri_complete: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds to wait between two questions. */
  interval: number;
}

export interface FailingEndpoints {
  endpoints: {
    id: string;
    /** Without the query. */
    url: string;
    status: 'failing' | 'paused';
    failing_since: string;
    last_failed_at: string;
    last_error: string;
    paused_at?: string;
    user: {
      id: string;
      email?: string;
    };
  }[];
}

export interface Features {
  supports_preview_metadata: boolean;
  supports_model_type_tags: boolean;
  /** Of one file, in bytes. */
  max_upload_size: number;
  extension: {
    manager: {
      supports_v4: boolean;
    };
  };
  node_replacements: boolean;
  assets: boolean;
  /** Deleted files are gone. */
  asset_deletion_enabled: boolean;
  /** Whether an editor requires an account elsewhere to run partner nodes. */
  partner_run_gate_enabled: boolean;
  /** The stock editor is at `/editor/`. */
  has_editor: boolean;
  /** Jobs of yours that may run at once now. */
  max_concurrent_jobs: number;
}

export type HistoryDetail = Record<string, {
  prompt: {
    /** The order of arrival. */
    priority: number;
    prompt_id: string;
    /** The workflow in the API format. */
    prompt: Record<string, unknown>;
    /** What was submitted beside the workflow, without credentials. */
    extra_data: Record<string, unknown>;
    /** The output nodes that were asked for. */
    outputs_to_execute: string[];
  };
  /** The outputs of each node, by node id. */
  outputs: Record<string, unknown>;
  status: {
    status_str: 'success' | 'error';
    completed: boolean;
    /** Pairs of type and data: start, cached, success, error, interrupted. */
    messages: unknown[][];
  };
  /** The place of each of these nodes in the workflow, by node id. */
  meta: Record<string, unknown>;
}>;

export interface HistoryList {
  history: {
    prompt_id: string;
    /** When it was accepted. Unix time in ms. */
    create_time: number;
    workflow_id?: string;
    prompt: {
      /** The order of arrival. */
      priority: number;
      prompt_id: string;
      /** What was submitted beside the workflow, without credentials. */
      extra_data: Record<string, unknown>;
    };
    /** The outputs of each node, by node id. */
    outputs: Record<string, unknown>;
    status: {
      status_str: 'success' | 'error';
      completed: boolean;
      /** Pairs of type and data: start, cached, success, error, interrupted. */
      messages: unknown[][];
    };
    /** The place of each of these nodes in the workflow, by node id. */
    meta: Record<string, unknown>;
  }[];
}

/** Also the body of the messages to `webhook_url`. */
export interface ImageTaskData {
  task_id: string;
  status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Links to the pictures, once the status is `COMPLETED`. They last for a day; every answer has new ones. */
  generated: string[];
  /** `local stand-in`, or the vendor as in the paths. */
  made_by: string;
  /** Words of the prompt that the local stand-in did not use. Absent for outside vendors. */
  ignored_words?: string[];
  error?: TaskError;
}

export interface ImageTaskResponse {
  /** Also the body of the messages to `webhook_url`. */
  data: ImageTaskData;
  /** A sentence for each field that was sent and is ignored. Absent without such fields. */
  warnings?: string[];
}

export interface Job {
  id: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
  /** The order of arrival. */
  priority: number;
  /** When it was accepted. Unix time in ms. */
  create_time: number;
  /** When it was last started. Unix time in ms. */
  execution_start_time?: number;
  /** When it ended. Unix time in ms. */
  execution_end_time?: number;
  /** The data of `execution_error`. */
  execution_error?: Record<string, unknown>;
  outputs_count: number;
  previewable_outputs_count: number;
  /** The output that stands for the job. */
  preview_output?: Record<string, unknown>;
  workflow_id?: string;
  /** The name that the submitter gave the workflow. */
  workflow_name?: string;
  /** Given with the submission. */
  tags?: string[];
  /** Given with `POST /api/v2/jobs`. */
  metadata?: Record<string, string>;
}

export interface JobAssetPage {
  job_id: string;
  assets: {
    id: string;
    name: string;
    /** `blake3:` and 64 hexadecimal digits. */
    hash: string;
    mime_type: string;
    /** Bytes. */
    size: number;
    /** A signed link to the file; it ends. */
    preview_url: string;
    created_at: string;
    node_id?: string;
    output_key?: string;
    output_index?: number;
  }[];
  pagination: {
    offset: number;
    limit: number;
    /** How many there are on all pages; at most a minute old. */
    total: number;
    has_more: boolean;
  };
}

export interface JobCancelled {
  /** False when it had ended already. */
  cancelled: boolean;
}

export interface JobDetail {
  id: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
  /** The order of arrival. */
  priority: number;
  /** When it was accepted. Unix time in ms. */
  create_time: number;
  /** When it was last started. Unix time in ms. */
  execution_start_time?: number;
  /** When it ended. Unix time in ms. */
  execution_end_time?: number;
  /** The data of `execution_error`. */
  execution_error?: Record<string, unknown>;
  outputs_count: number;
  previewable_outputs_count: number;
  /** The output that stands for the job. */
  preview_output?: Record<string, unknown>;
  workflow_id?: string;
  /** The name that the submitter gave the workflow. */
  workflow_name?: string;
  /** Given with the submission. */
  tags?: string[];
  /** Given with `POST /api/v2/jobs`. */
  metadata?: Record<string, string>;
  /** When it last changed its state. Unix time in ms. */
  update_time: number;
  /** While it waits: 1 is the next of your own. */
  queue_position?: number;
  /** While it waits for a suitable worker: what no connected worker has. */
  waiting_for?: string;
  /** While it waits, when enough is known to tell. */
  estimated_start_in_ms?: number;
  estimate_based_on?: {
    /** How many of your completed jobs the estimate is based on. */
    recent_jobs: number;
    /** How long they took. */
    median_ms: number;
    /** How many of your jobs run now. */
    running: number;
  };
  /** The outputs of each node, by node id. */
  outputs?: Record<string, unknown>;
  execution_status?: {
    status_str: 'success' | 'error';
    completed: boolean;
    /** Pairs of type and data: start, cached, success, error, interrupted. */
    messages: unknown[][];
  };
  /** The place of each of these nodes in the workflow, by node id. */
  execution_meta?: Record<string, unknown>;
  workflow: {
    /** The workflow in the API format. */
    prompt: Record<string, unknown>;
    /** What was submitted beside the workflow, without credentials. */
    extra_data: Record<string, unknown>;
  };
}

export interface JobPage {
  jobs: Job[];
  pagination: {
    offset: number;
    limit: number;
    /** How many there are on all pages; at most a minute old. */
    total: number;
    has_more: boolean;
    /** `after` of the next page. */
    next_cursor?: string;
  };
}

export interface JobTimeline {
  job_id: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
  /** How often the job was started. The nodes are those of the last attempt. */
  attempt: number;
  /** From its submission to the start of the last attempt, to its end, or until now. */
  waiting_ms: number;
  /** When the last attempt began. Unix time in ms. */
  started_at?: number;
  /** From that start to the end, or until now. */
  running_ms?: number;
  /** The name of the worker that ran it. */
  worker?: string;
  /** In the order of their start; the first 2000. */
  nodes: {
    node_id: string;
    /** `stopped`: the job ended while the node ran. */
    state: 'cached' | 'running' | 'finished' | 'failed' | 'stopped';
    /** When it began, in ms after `started_at`. */
    started_ms: number;
    /** When it ended, in ms after `started_at`. Absent unless it has finished or was cached. */
    ended_ms?: number;
    /** Absent for a node that is not in the workflow. */
    class_type?: string;
    /** What the workflow calls it. */
    title?: string;
    /** The node of the workflow that expanded into this one. */
    display_node_id?: string;
  }[];
  /** How many more there were. */
  nodes_left_out: number;
  /** Output of the nodes, oldest first; the last 200 lines. */
  log: {
    /** When, in ms after `started_at`. */
    ms: number;
    node_id?: string;
    /** At most 1000 characters. */
    text: string;
  }[];
  /** How many lines there were before. */
  log_lines_left_out: number;
}

export interface JobsCancelled {
  /** Those that had not ended. */
  cancelled: string[];
}

export interface Member {
  id: string;
  role: string;
  user: {
    id?: string;
    name: string;
    /** Shown to members and administrators. */
    email?: string;
  };
}

export interface NewApiKey {
  /** At most 100 characters. */
  name: string;
  /** At most 1000 characters. */
  description?: string;
  /** What the key may be used for. Absent: the same as the credential that creates it. At most 5 items. */
  scopes?: ('workflows' | 'generation' | 'registry' | 'account' | 'admin')[];
}

export interface NewMember {
  /** At most 254 characters. */
  email: string;
  role: 'owner' | 'member';
}

export interface NewPack {
  /** Letters, digits, `_`, `-` and `.`; at most 100. */
  id: string;
  /** An empty name changes nothing. At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 200 characters. */
  author?: string;
  /** At most 2000 characters. */
  banner_url?: string;
  /** At most 2000 characters. */
  icon?: string;
  /** Deprecated; use `tags`. At most 200 characters. */
  category?: string;
  /** At most 2000 characters. */
  license?: string;
  /** At most 2000 characters. */
  repository?: string;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
}

export interface NewPublisher {
  /** Starts with a lower-case letter; lower-case letters, digits and hyphens. At most 100 characters. */
  id: string;
  /** At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 2000 characters. */
  logo?: string;
  /** At most 2000 characters. */
  source_code_repo?: string;
  /** At most 2000 characters. */
  support?: string;
  /** At most 2000 characters. */
  website?: string;
}

export interface NewPublisherToken {
  /** At most 200 characters. */
  name: string;
  /** At most 1000 characters. */
  description?: string;
}

export interface NewUser {
  /** E-mail address. At most 254 characters. */
  email: string;
  /** At least 8 characters. At most 200 characters. */
  password: string;
  /** At most 200 characters. */
  name?: string;
}

export interface NewWorkerToken {
  /** At most 64 characters. */
  name: string;
  /** At most 32 items. */
  labels?: string[];
}

export interface OAuthTokens {
  /** A JWT, or an API key for clients that get one. */
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. Absent for an API key. */
  expires_in?: number;
  /** Good for one exchange for new tokens. */
  refresh_token?: string;
  /** Of an API key: what was allowed. */
  scope?: string;
}

export interface Pack {
  id: string;
  /** An empty name changes nothing. At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 200 characters. */
  author?: string;
  /** At most 2000 characters. */
  banner_url?: string;
  /** At most 2000 characters. */
  icon?: string;
  /** Deprecated; use `tags`. At most 200 characters. */
  category?: string;
  /** At most 2000 characters. */
  license?: string;
  /** At most 2000 characters. */
  repository?: string;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
  created_at: string;
  downloads: number;
  github_stars: number;
  latest_version?: PackVersion;
  preempted_node_names?: string[];
  preempted_comfy_node_names?: string[];
  publisher?: Publisher;
  rating: number;
  search_ranking?: number;
  status: 'NodeStatusActive' | 'NodeStatusDeleted' | 'NodeStatusBanned';
  status_detail?: string;
  tags_admin?: string[];
  translations?: Record<string, Record<string, unknown>>;
}

export interface PackExport {
  revision: number;
  total: number;
  nodes: Pack[];
}

export interface PackInput {
  /** An empty name changes nothing. At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 200 characters. */
  author?: string;
  /** At most 2000 characters. */
  banner_url?: string;
  /** At most 2000 characters. */
  icon?: string;
  /** Deprecated; use `tags`. At most 200 characters. */
  category?: string;
  /** At most 2000 characters. */
  license?: string;
  /** At most 2000 characters. */
  repository?: string;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
}

export interface PackPage {
  total: number;
  nodes: Pack[];
  page: number;
  limit: number;
  totalPages: number;
}

export interface PackReadme {
  /** Markdown, at most 256 KiB of it. */
  readme?: string;
}

export interface PackReviews {
  total: number;
  /** The mean, 0 without reviews. */
  rating: number;
  /** How many users gave one star, two, and so on up to five. */
  stars: number[];
  /** What you gave. */
  yours?: number;
}

export interface PackVersion {
  id: string;
  node_id: string;
  version: string;
  changelog?: string;
  node_extract_status: string;
  comfy_node_extract_status: string;
  createdAt: string;
  dependencies: string[];
  deprecated: boolean;
  downloadUrl?: string;
  /** `sha256:` and the hash of the archive. */
  checksum?: string;
  status: 'NodeVersionStatusPending' | 'NodeVersionStatusActive' | 'NodeVersionStatusFlagged' | 'NodeVersionStatusBanned' | 'NodeVersionStatusDeleted';
  status_reason?: string;
  /** The findings of the checks as JSON text, regardless of later decisions. Shown to members and administrators. */
  check_report?: string;
  /** A review by a person was requested. Shown to members and administrators. */
  review_request?: {
    requested_at: string;
    note?: string;
  };
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
  tags?: string[];
  tags_admin?: string[];
}

export interface PackVersionChanges {
  /** At most 20000 characters. */
  changelog?: string;
  deprecated?: boolean;
}

export interface PackVersionInput {
  /** At most 100 characters. */
  version: string;
  /** At most 20000 characters. */
  changelog?: string;
  /** At most 1000 items. */
  dependencies?: string[];
  deprecated?: boolean;
  /** At most 200 items. */
  tags?: string[];
  /** At most 200 items. */
  supported_accelerators?: string[];
  /** At most 200 items. */
  supported_os?: string[];
  /** At most 200 characters. */
  supported_version?: string;
  /** At most 200 characters. */
  supported_comfyui_version?: string;
  /** At most 200 characters. */
  supported_frontend_version?: string;
  /** At most 200 characters. */
  supported_comfyui_frontend_version?: string;
}

export interface PackVersionPage {
  total: number;
  versions: PackVersion[];
  page: number;
  pageSize: number;
  totalPages: number;
}

/** What each generation costs, in credits. */
export interface PriceList {
  images: {
    /** Credits. */
    'skin-enhancer': number;
    /** Credits. */
    'image-relight': number;
  };
  videos: {
    model: string;
    prices: {
      resolution: string;
      /** Seconds. */
      duration: number;
      /** Only with a start frame. */
      needs_image: boolean;
      /** Credits. */
      credits: number;
      /** With `off_peak`. */
      off_peak_credits: number;
    }[];
    /** What each of these fields adds where it has an effect. */
    extras: {
      /** Credits. */
      audio: number;
      /** Credits. */
      bgm: number;
      /** Credits. */
      is_rec: number;
    };
  }[];
}

export interface PromptWarning {
  type: 'unknown_input' | 'unknown_field';
  message: string;
  /** Names it, and what was probably meant. */
  details: string;
  extra_info: Record<string, unknown>;
}

export interface ProxyTask {
  id: string;
  /** As in the paths. */
  vendor: 'imagevendor' | 'videovendor';
  /** What it makes. */
  kind: 'skin-creative' | 'skin-faithful' | 'skin-flexible' | 'relight' | 'video';
  /** In the words of the vendor. */
  state: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'created' | 'queueing' | 'processing' | 'success' | 'failed';
  /** What it costs. Given back when it fails. */
  credits: number;
  /** Percent. 0 to 100. */
  progress: number;
  created_at: string;
  updated_at: string;
  ended_at?: string;
  /** `local stand-in`, or the vendor as in the paths. */
  made_by: string;
  /** Words of the prompt that the local stand-in did not use. Absent for outside vendors. */
  ignored_words?: string[];
  error?: TaskError;
}

export interface ProxyTaskPage {
  /** Newest first. */
  tasks: ProxyTask[];
  next_cursor?: string;
}

export interface Published {
  node_version: PackVersion;
  /** PUT the archive here, with `Content-Type: application/zip`. */
  signedUrl: string;
}

export interface Publisher {
  id: string;
  /** At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 2000 characters. */
  logo?: string;
  /** At most 2000 characters. */
  source_code_repo?: string;
  /** At most 2000 characters. */
  support?: string;
  /** At most 2000 characters. */
  website?: string;
  createdAt: string;
  status: 'PublisherStatusActive' | 'PublisherStatusBanned';
  /** Why it is banned. Shown to members and administrators. */
  status_detail?: string;
  members?: Member[];
}

export interface PublisherChanges {
  /** At most 200 characters. */
  name?: string;
  /** At most 1000 characters. */
  description?: string;
  /** At most 2000 characters. */
  logo?: string;
  /** At most 2000 characters. */
  source_code_repo?: string;
  /** At most 2000 characters. */
  support?: string;
  /** At most 2000 characters. */
  website?: string;
}

export interface PublisherToken {
  id: string;
  name: string;
  description?: string;
  createdAt: string;
  /** Only its first characters. */
  token: string;
}

export interface Queue {
  /** In order of arrival. Each is `[number, prompt_id, prompt, extra_data, outputs_to_execute]`. */
  queue_running: unknown[][];
  /** The next one first. Each is `[number, prompt_id, prompt, extra_data, outputs_to_execute]`. */
  queue_pending: unknown[][];
}

export interface QueueChanged {
  deleted: string[];
  cleared: boolean;
}

export interface QueueHistory {
  /** From one point to the next. */
  step_ms: number;
  /** Oldest first; since the start of this server, at most six hours. */
  points: {
    at: string;
    /** Jobs that waited then, of all servers. */
    waiting: number;
    /** Jobs that ran then, of all servers. */
    running: number;
    /** Jobs that this server started in the step before. */
    started: number;
    /** Jobs that this server completed in the step before. */
    completed: number;
    /** Jobs that failed on this server in the step before. */
    failed: number;
    /** Jobs that were cancelled on this server in the step before. */
    cancelled: number;
    /** How long the started jobs had waited. */
    mean_wait_ms?: number;
    /** The longest of them. */
    max_wait_ms?: number;
  }[];
}

export interface QueueRemaining {
  exec_info: {
    /** Waiting and running. */
    queue_remaining: number;
  };
}

export interface RelightAdvancedSettings {
  /** The brightest tones; 50 leaves them. 0 to 100. Default: 50. */
  whites?: number;
  /** The darkest tones; 50 leaves them. 0 to 100. Default: 50. */
  blacks?: number;
  /** 50 leaves it. 0 to 100. Default: 50. */
  brightness?: number;
  /** 50 leaves it. 0 to 100. Default: 50. */
  contrast?: number;
  /** 50 leaves it. 0 to 100. Default: 50. */
  saturation?: number;
  /** The character of the result. Default: "automatic". */
  engine?: 'automatic' | 'balanced' | 'cool' | 'real' | 'illusio' | 'fairy' | 'colorful_anime' | 'hard_transform' | 'softy';
  /** How strongly light is transferred. Default: "automatic". */
  transfer_light_a?: 'automatic' | 'low' | 'medium' | 'normal' | 'high' | 'high_on_faces';
  /** How the transfer is distributed. Default: "automatic". */
  transfer_light_b?: 'automatic' | 'composition' | 'straight' | 'smooth_in' | 'smooth_out' | 'smooth_both' | 'reverse_both' | 'soft_in' | 'soft_out' | 'soft_mid' | 'strong_mid' | 'style_shift' | 'strong_shift';
  /** The same request gives the same picture. Default: false. */
  fixed_generation?: boolean;
}

export interface RelightRequest {
  /** The picture to relight: base64, a data URL, or a public https URL. */
  image: string;
  /** Words for the light and the scene. `(phrase:weight)` with a weight from 1 to 1.4 emphasizes a phrase. At most 10000 characters. */
  prompt?: string;
  /** A picture whose light is transferred, not together with `transfer_light_from_lightmap`: base64, a data URL, or a public https URL. */
  transfer_light_from_reference_image?: string;
  /** A map of the light, white where it is bright, not together with `transfer_light_from_reference_image`: base64, a data URL, or a public https URL. */
  transfer_light_from_lightmap?: string;
  /** 0 stays closest to the original, 100 transfers the most. 0 to 100. Default: 100. */
  light_transfer_strength?: number;
  /** The result is mixed with the original by `light_transfer_strength`. Default: false. */
  interpolate_from_original?: boolean;
  /** The background changes too, to match the prompt or the reference. Default: true. */
  change_background?: boolean;
  /** A preset. Default: "standard". */
  style?: 'standard' | 'darker_but_realistic' | 'clean' | 'smooth' | 'brighter' | 'contrasted_n_hdr' | 'just_composition';
  /** Texture and small details stay, such as those of products and lettering. Default: true. */
  preserve_details?: boolean;
  advanced_settings?: RelightAdvancedSettings;
  /** Receives a signed message for every change of the task. */
  webhook_url?: string;
}

export interface SavedWorkflow {
  /** The path of its file in `workflows/`. */
  id: string;
  name: string;
  description?: string;
  /** How often its content was saved. */
  latest_version: number;
  /** While it is shared: who has it can read it. */
  share_id?: string;
  /** The output that stands for the last job with its name as `extra_data.workflow_name`. */
  preview_output?: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface SavedWorkflowContent {
  id: string;
  version: number;
  workflow_json: Record<string, unknown>;
}

export interface SavedWorkflowList {
  data: SavedWorkflow[];
  total: number;
}

export interface SavedWorkflowVersions {
  /** Former contents, newest first, without the current one. */
  data: {
    version: number;
    /** Bytes. */
    size: number;
    saved_at: string;
  }[];
}

export interface ServerSettings {
  settings: {
    name: string;
    description: string;
    /** False when the server uses the default. */
    is_set: boolean;
    is_secret: boolean;
    /** Absent for a secret, and when there is neither a value nor a default. */
    value?: string;
  }[];
}

export interface ServerVersion {
  name: 'atelier';
  /** Of the release, such as `0.1.0`. */
  version: string;
  /** The commit that it was built from, if known. */
  commit?: string;
}

export interface SetSubscription {
  tier: 'free' | 'standard' | 'creator' | 'pro' | 'team';
  status: 'active' | 'inactive';
  /** Absent: no end. */
  period_end?: string;
}

export interface SharedWorkflow {
  name: string;
  owner_name: string;
  updated_at: string;
  workflow_json: Record<string, unknown>;
}

export interface SignInMethods {
  password: true;
  outside: {
    /** Of the outside issuer, for people. */
    name: string;
  } | null;
}

export interface SkinCreativeRequest {
  /** The picture to work on: base64, a data URL, or a public https URL. */
  image: string;
  /** How strongly edges are sharpened. 0 to 100. Default: 0. */
  sharpen?: number;
  /** How much grain is added where it looks natural. 0 to 100. Default: 2. */
  smart_grain?: number;
  /** Receives a signed message for every change of the task. */
  webhook_url?: string;
}

export interface SkinFaithfulRequest {
  /** The picture to work on: base64, a data URL, or a public https URL. */
  image: string;
  /** How strongly edges are sharpened. 0 to 100. Default: 0. */
  sharpen?: number;
  /** How much grain is added where it looks natural. 0 to 100. Default: 2. */
  smart_grain?: number;
  /** Receives a signed message for every change of the task. */
  webhook_url?: string;
  /** How much of the texture of skin is brought out. 0 to 100. Default: 80. */
  skin_detail?: number;
}

export interface SkinFlexibleRequest {
  /** The picture to work on: base64, a data URL, or a public https URL. */
  image: string;
  /** How strongly edges are sharpened. 0 to 100. Default: 0. */
  sharpen?: number;
  /** How much grain is added where it looks natural. 0 to 100. Default: 2. */
  smart_grain?: number;
  /** Receives a signed message for every change of the task. */
  webhook_url?: string;
  /** What to work toward. Default: "enhance_skin". */
  optimized_for?: 'enhance_skin' | 'improve_lighting' | 'enhance_everything' | 'transform_to_real' | 'no_make_up';
}

export interface StorageReport {
  /** The size of the files and job results of all users. */
  used_bytes: number;
  /** The limit for each user. */
  quota_bytes: number;
  /** The users with the most, at most 100. */
  users: {
    user: {
      id: string;
      email?: string;
    };
    /** What counts against the quota. */
    used_bytes: number;
    /** Uploads, outputs and files of tasks. */
    files: number;
  }[];
}

export interface SubmittedJob {
  prompt_id: string;
  /** Counts up with every job of the service. */
  number: number;
  /** Why some outputs cannot run. */
  node_errors: Record<string, unknown>;
  /** Ignored parts of the request: inputs that nodes do not have, unknown fields. */
  warnings?: PromptWarning[];
  /** With `wait`: the status of the job. */
  status?: string;
  /** With `wait`. */
  outputs?: Record<string, unknown>;
  /** With `wait`: why it failed. */
  execution_error?: unknown;
}

export interface Subscription {
  tier: 'free' | 'standard' | 'creator' | 'pro' | 'team';
  status: 'active' | 'inactive';
  period_end?: string;
  /** Jobs that may run at once now; 0 when nothing may run. */
  concurrent_jobs: number;
}

export interface SystemStats {
  system: {
    os: string;
    /** Bytes. */
    ram_total: number;
    /** Bytes. */
    ram_free: number;
    /** The version of ComfyUI that this server is compatible with. */
    comfyui_version: string;
    /** The frontend that goes with it. */
    required_frontend_version: string;
    /** There are none here. */
    installed_templates_version: null;
    /** There are none here. */
    required_templates_version: null;
    comfy_package_versions: unknown[];
    /** What runs instead of Python. */
    python_version: string;
    pytorch_version: string;
    embedded_python: boolean;
    deploy_environment: string;
    /** The same at all servers on one database. */
    installation_id: string;
    argv: string[];
  };
  devices: {
    name: string;
    type: string;
    index: number;
    /** Bytes. */
    vram_total: number;
    /** Bytes. */
    vram_free: number;
    /** Bytes. */
    torch_vram_total: number;
    /** Bytes. */
    torch_vram_free: number;
  }[];
}

export interface TagCounts {
  /** How many assets have each tag. */
  tag_counts: Record<string, number>;
}

export interface TagPage {
  tags: {
    name: string;
    count: number;
  }[];
  total: number;
  has_more: boolean;
}

export interface TagsAdded {
  added: string[];
  already_present: string[];
  /** Sorted; one of them is `input`, `output` or `temp`. */
  total_tags: string[];
}

export interface TagsRemoved {
  removed: string[];
  not_present: string[];
  /** Tags that say where the file is, and so stay. */
  protected: string[];
  /** Sorted; one of them is `input`, `output` or `temp`. */
  total_tags: string[];
}

export interface TaskError {
  /** For programs, from the vendor or this server. */
  code: string;
  /** What went wrong, for people. */
  message: string;
}

export interface TemplateCategory {
  moduleName: 'default';
  title: string;
  type: 'image';
  isEssential: boolean;
  templates: {
    /** The workflow is `/templates/<name>.json`, its thumbnail `/templates/<name>-1.webp`. */
    name: string;
    title: string;
    /** One sentence. */
    description: string;
    tags: string[];
    /** Of the thumbnail. */
    mediaType: 'image';
    mediaSubtype: 'webp';
  }[];
}

export interface Translations {
  data: Record<string, Record<string, unknown> | null>;
}

export interface Upload {
  /** PUT the bytes here; no credential is needed. */
  upload_url: string;
  /** GET the bytes here. Anyone who has the link can. */
  download_url: string;
  /** When both links end. */
  expires_at: string;
  /** You have uploaded these bytes already: the download works, and nothing needs to be sent. */
  existing_file: boolean;
}

export interface UploadedFile {
  /** What nodes that load files take: `<SHA-256>.<extension>` under `/api`, the name of the file otherwise. */
  name: string;
  /** Empty under `/api`. */
  subfolder: string;
  type: string;
  asset: {
    id: string;
    name: string;
    asset_hash: string;
    size: number;
    mime_type: string;
    tags: string[];
  };
}

export interface UploadedMask {
  /** What nodes that load files take: `<SHA-256>.<extension>` under `/api`, the name of the file otherwise. */
  name: string;
  /** Empty under `/api`. */
  subfolder: string;
  type: string;
  asset: {
    id: string;
    name: string;
    asset_hash: string;
    size: number;
    mime_type: string;
    tags: string[];
  };
  metadata: {
    is_mask: boolean;
    original_hash: string;
    mask_type: string;
    related_files: Record<string, string>;
  };
}

export interface UserDataEntry {
  name: string;
  /** From the top. */
  path: string;
  type: 'directory' | 'file';
  /** Of a file, in bytes. */
  size?: number;
  /** Of a file: Unix time in seconds. */
  modified?: number;
}

export interface UserDataFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Unix time in milliseconds. */
  modified: number;
  /** Unix time in milliseconds. */
  created: number;
}

export interface Vendor {
  /** As in the paths. */
  vendor: 'imagevendor' | 'videovendor';
  /** The adapter in use. */
  adapter: string;
  title: string;
  /** A stand-in without a model renders on this server; no outside service takes part. */
  local: boolean;
  /** What it does and does not do. */
  about: string;
  /** Where requests go if it is not local. */
  host?: string;
  /** The values of `model`. */
  models?: string[];
}

export interface VendorList {
  vendors: Vendor[];
}

export interface VideoCreation {
  id: string;
  /** The video, an MP4, for a day. */
  url: string;
  /** Its first frame, for a day; empty when there is none. */
  cover_url: string;
  /** The copy with the watermark, for a day. */
  watermarked_url?: string;
}

/** Also the body of the messages to `callback_url`. */
export interface VideoCreations {
  /** The `task_id` of the answer that created it. */
  id: string;
  state: 'created' | 'queueing' | 'processing' | 'success' | 'failed';
  /** Why it failed, as a word; empty otherwise. */
  err_code: string;
  /** Why it failed, for people; empty otherwise. */
  err_msg: string;
  /** Empty until `success`. */
  creations: VideoCreation[];
  /** What it costs. Given back when it fails. */
  credits: number;
  /** As it was sent; empty without one. */
  payload: string;
  /** Percent. 0 to 100. */
  progress: number;
  /** Whether background music is added. */
  bgm: boolean;
  off_peak: boolean;
  /** `local stand-in`, or the vendor as in the paths. */
  made_by: string;
  /** Words of the prompt that the local stand-in did not use. Absent for outside vendors. */
  ignored_words?: string[];
}

export interface VideoTaskRequest {
  /** The model. The names that start with `vidu` are the public names of the others, in the same order. */
  model: 'clipq3-pro' | 'clipq2-pro-fast' | 'clipq2-pro' | 'clipq2-turbo' | 'clipq1' | 'clipq1-classic' | 'clip2.0' | 'viduq3-pro' | 'viduq2-pro-fast' | 'viduq2-pro' | 'viduq2-turbo' | 'viduq1' | 'viduq1-classic' | 'vidu2.0';
  /** What the video shows. It may be left out when there is an image. At most 2000 characters. */
  prompt?: string;
  /** The start frame: base64, a data URL, or a public https URL. Most models need one. At most 1 item. */
  images?: string[];
  /** Seconds. `clipq3-pro` 1 to 16; `clipq2-pro-fast` 1 to 10; `clipq2-pro` and `clipq2-turbo` 1 to 8; `clipq1` and `clipq1-classic` 5; `clip2.0` 4 or 8. Absent: 5, and 4 for `clip2.0`. 1 to 16. */
  duration?: number;
  /** Models offer some of these for each duration. `2K` is for `clipq3-pro` with an image. Absent: 720p, or the default of the model. */
  resolution?: '360p' | '540p' | '720p' | '1080p' | '2K';
  /** Ignored with an image, which has its own. `3:4` and `4:3` are for the q2 and q3 models. Default: "16:9". */
  aspect_ratio?: '16:9' | '9:16' | '1:1' | '3:4' | '4:3';
  /** Absent or 0: one is chosen and returned. 0 to 2147483647. */
  seed?: number;
  /** Has an effect on `clipq1` without an image. Default: "general". */
  style?: 'general' | 'anime';
  /** How much moves. Has no effect on the q2 and q3 models. Default: "auto". */
  movement_amplitude?: 'auto' | 'small' | 'medium' | 'large';
  /** The video comes with sound. Absent: true on the q3 model, false on others, where it has an effect with an image only. */
  audio?: boolean;
  /** What is heard when `audio` is true. Has no effect on the q3 model. Default: "all". */
  audio_type?: 'all' | 'speech_only' | 'sound_effect_only';
  /** Adds background music. Has no effect on the q3 model, nor on the q2 models at 9 and 10 seconds. Default: false. */
  bgm?: boolean;
  /** The voice, when `audio` is true. Has no effect on the q3 model. At most 1000 characters. */
  voice_id?: string;
  /** A recommended prompt replaces yours, for 10 credits more. Default: false. */
  is_rec?: boolean;
  /** Passed to an outside vendor unchanged; the local stand-in ignores it. */
  enhance?: boolean;
  /** Passed to an outside vendor unchanged; it has no effect on the queue here. -2147483648 to 2147483647. */
  priority?: number;
  /** For half the price, the task waits until the queue is idle, at most 48 hours. Default: false. */
  off_peak?: boolean;
  /** Receives a signed message for every change of the task. */
  callback_url?: string;
  /** JSON as text, passed to an outside vendor. At most 65536 characters. */
  meta_data?: string;
  /** Returned unchanged with every answer about the task. At most 1048576 characters. */
  payload?: string;
  /** Also makes a copy with a watermark: `watermarked_url`. Default: false. */
  watermark?: boolean;
  /** 1 top left, 2 top right, 3 bottom right, 4 bottom left. 1 to 4. Default: 3. */
  wm_position?: number;
  /** A public https URL of the watermark. Absent: our own watermark. */
  wm_url?: string;
}

export interface VideoTaskResponse {
  task_id: string;
  state: 'created' | 'queueing' | 'processing' | 'success' | 'failed';
  /** What it costs. Given back when it fails. */
  credits: number;
  created_at: string;
  /** As it was sent. */
  model: string;
  prompt: string;
  /** As they were sent, where they are URLs; links to them otherwise. */
  images: string[];
  /** Seconds. */
  duration: number;
  resolution: string;
  aspect_ratio: string;
  /** The one that was sent or chosen. */
  seed: number;
  style: string;
  movement_amplitude: string;
  /** Whether the video comes with sound. */
  audio: boolean;
  /** Whether background music is added. */
  bgm: boolean;
  off_peak: boolean;
  /** Whether a copy with a watermark is made. */
  watermark: boolean;
  /** As it was sent; empty without one. */
  payload: string;
  /** `local stand-in`, or the vendor as in the paths. */
  made_by: string;
  /** Words of the prompt that the local stand-in did not use. Absent for outside vendors. */
  ignored_words?: string[];
  /** A sentence for each field that was sent and is ignored. Absent without such fields. */
  warnings?: string[];
}

export interface WebhookEndpoint {
  id: string;
  /** Without the query. */
  url: string;
  status: 'failing' | 'paused';
  failing_since: string;
  last_failed_at: string;
  last_error: string;
  paused_at?: string;
}

export interface WebhookEndpoints {
  endpoints: WebhookEndpoint[];
}

export interface WebhookSecret {
  /** `whsec_` and the base64 of the key that signs your deliveries. */
  secret: string;
}

export interface Worker {
  id: string;
  name: string;
  kind: string;
  version: string;
  /** `away`: it has lost its connection, and its jobs are given to others unless it comes back soon. */
  state: 'ready' | 'draining' | 'quarantined' | 'away';
  /** Why it is quarantined. */
  reason?: string;
  /** Why it cannot start a job now, such as a ComfyUI that has ended. */
  problem?: string;
  /** The server that it is connected to. */
  server: string;
  /** Absent for a built-in worker. */
  token_id?: string;
  slots: number;
  labels: string[];
  /** The memory that one job may use. */
  memory_bytes: number;
  /** Main memory of the machine of a ComfyUI, at most some seconds ago. */
  ram?: {
    total_bytes: number;
    free_bytes: number;
  };
  gpus: {
    name: string;
    memory_bytes: number;
    /** At most some seconds ago. */
    free_bytes?: number;
  }[];
  /** SHA-256 of the description of its node types. Missing until they are needed for the first time. */
  node_types?: string;
  /** How many model files it has, by folder. `GET /admin/workers/{workerId}/models` has their names. */
  models: Record<string, number>;
  /** What it runs now. */
  jobs: {
    job_id: string;
    attempt: number;
    /** The node that runs. */
    node_id?: string;
    node_type?: string;
    /** When the job last made progress, or was sent. */
    heard_at?: string;
  }[];
  /** Jobs that it has ended since 00:00 UTC, or since the start of its server if that is later. */
  jobs_today?: number;
  /** The last attempts that it lost or that failed, newest first. */
  errors: {
    at: string;
    cause: string;
    message: string;
    job_id: string;
  }[];
  connected_at: string;
  seen_at: string;
}

export interface WorkerConflicts {
  total: number;
  /** The first 1000. */
  conflicts: {
    /** The name of the node type. */
    type: string;
    /** The names of the workers whose definition is used. Workers that are away count. */
    used: string[];
    others: {
      workers: string[];
      /** Such as `only one has the input strength`. */
      difference: string;
    }[];
  }[];
}

export interface WorkerDemand {
  labels: {
    /** A label of workers. `any` stands for jobs that every worker can run. */
    label: string;
    waiting_jobs: number;
    /** How long the first of them has waited. */
    oldest_seconds: number;
    /** Of the workers with this label that take jobs. */
    slots: number;
    /** How long the workers that can run these jobs would take, if each job takes what such jobs took last. Jobs that no worker can run count by how long they have waited. One number to scale by. */
    waiting_seconds: number;
  }[];
}

export interface WorkerList {
  workers: Worker[];
}

export interface WorkerModels {
  /** File names by folder. */
  models: Record<string, string[]>;
}

export interface WorkerToken {
  id: string;
  name: string;
  /** The only labels that workers with this token may have. Absent: any. */
  labels?: string[];
  created_at: string;
  last_used_at?: string;
}

export interface WorkerTokenList {
  worker_tokens: WorkerToken[];
}

export interface WorkflowShare {
  /** For `GET /api/shared-workflows/{shareId}`. Nobody can guess it. */
  share_id: string;
}

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

/** One thing that is wrong with a submitted graph or one of its nodes. */
export interface PromptProblem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** What is wrong with one node, and which outputs cannot run because of it. */
export interface NodeProblems {
  readonly errors: readonly PromptProblem[];
  readonly dependent_outputs: readonly string[];
  readonly class_type: string;
}

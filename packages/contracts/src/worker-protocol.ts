/**
 * What a worker and a server say to each other over one WebSocket, which the worker opens. A text frame is one JSON object; a
 * binary frame is one `events` message whose event has a picture (see `encodePicture`). The README of `cloud/workers` in the
 * server has the order of things.
 */
export const WORKER_SUBPROTOCOL = 'atelier.worker.v1';
export const WORKER_PATH = '/workers/connect';

export const MAX_WORKER_SLOTS = 256;
export const MAX_WORKER_LABELS = 32;
export const WORKER_LABEL = { maxLength: 64, pattern: '^[a-z0-9][a-z0-9._:-]*$' } as const;
export const WORKER_NAME = { minLength: 1, maxLength: 64, pattern: String.raw`^[^\p{C}]+$` } as const;
/** A larger frame closes the connection. The largest one is a description of node types. */
export const MAX_WORKER_FRAME_BYTES = 32 * 2 ** 20;
export const MAX_PREVIEW_BYTES = 8 * 2 ** 20;
/** One message about a job. The engine limits the output of nodes to 1 MiB plus the names of files. */
export const MAX_JOB_MESSAGE_BYTES = 8 * 2 ** 20;
/** The nesting of a message about a job: as deep as Python reads JSON. */
export const MAX_JOB_MESSAGE_DEPTH = 1000;
/** All messages about one attempt, but those that a later one replaces. */
export const MAX_ATTEMPT_BYTES = 128 * 2 ** 20;

/** Why the server closes the connection. A worker comes back after all of them but `refused`. */
export const WORKER_CLOSE = {
  stopping: 1001,
  protocol: 4400,
  refused: 4401,
  replaced: 4409,
  silent: 4408,
} as const;

/** Where the files of a job are: folders of this machine, or at the server. */
export type JobFilesAt =
  | { readonly kind: 'folders'; readonly folders: Readonly<Record<'input' | 'output' | 'temp', string>> }
  | {
      readonly kind: 'server';
      /** Below the address of the server. The requests are in the README of `cloud/files`. */
      readonly path: string;
      /** The credential for it. It opens the files of this attempt, until the attempt ends. */
      readonly key: string;
    };

export interface WorkerJob {
  readonly jobId: string;
  /** JSON. */
  readonly graph: string;
  readonly extraData: string;
  readonly targets: readonly string[];
  readonly order: readonly string[];
  /** Results are shared only between jobs of one scope. */
  readonly scope: string;
  readonly files: JobFilesAt;
}

export type ToWorker =
  | {
      readonly type: 'welcome';
      /** What `GET /system_stats` of all its servers has as `installation_id`. Older servers do not say it. */
      readonly installation?: string;
      /** How long a worker may be away before its attempts are given to others. */
      readonly graceMs: number;
      /** The attempts to go on with: after this number, or with their history. All others are dropped. */
      readonly attempts: readonly { readonly attempt: string; readonly after: number | 'history' }[];
    }
  /** Asks for an offer with node types. */
  | { readonly type: 'load' }
  /** Asks for the node types behind the hash that was offered. */
  | { readonly type: 'describe' }
  | { readonly type: 'run'; readonly attempt: string; readonly job: WorkerJob }
  | { readonly type: 'cancel'; readonly attempt: string }
  /** Messages up to this number are no longer needed. */
  | { readonly type: 'ack'; readonly attempt: string; readonly number: number }
  /** Results of earlier jobs of the scope are no longer needed. */
  | { readonly type: 'forget'; readonly scope: string }
  /** Asks the check that a node pack has brought; `question` is JSON. */
  | { readonly type: 'check'; readonly id: number; readonly question: string; readonly files: JobFilesAt }
  /** The worker takes no new jobs until `resume`. */
  | { readonly type: 'drain' }
  | { readonly type: 'resume' };

const LENGTH_BYTES = 4;

/** A frame for an event with a picture: the length of the JSON, the JSON, the picture. */
export function encodePicture(message: object, picture: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(JSON.stringify(message));
  const frame = new Uint8Array(LENGTH_BYTES + head.length + picture.length);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, LENGTH_BYTES);
  frame.set(picture, LENGTH_BYTES + head.length);
  return frame;
}

/** `undefined` for a malformed frame. The picture is a view of the frame. */
export function decodePicture(
  frame: Uint8Array<ArrayBuffer>,
): { readonly head: string; readonly picture: Uint8Array<ArrayBuffer> } | undefined {
  if (frame.length < LENGTH_BYTES) return undefined;
  const length = new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  if (length > frame.length - LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + length;
  return { head: new TextDecoder().decode(frame.subarray(LENGTH_BYTES, end)), picture: frame.subarray(end) };
}

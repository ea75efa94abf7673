import type { ToWorker, WorkerMessages } from '@atelier/contracts';

import type { RemoteAttempt } from './remote-attempt.ts';
import type { WorkerRecord } from './worker-records.ts';

/** Who may connect as a worker: the holder of a token, or the worker that this server has started. */
export interface WorkerIdentity {
  readonly tokenId: string;
  /** The labels that its token allows; `undefined` for any. */
  readonly labels: readonly string[] | undefined;
  /** This server has started it, on its own machine. */
  readonly isOwn: boolean;
}

export interface WorkerLink {
  send(message: ToWorker): void;
  close(code: number, reason: string): void;
}

/** One process of a worker. It stays known for a while when its connection is lost. */
export interface ConnectedWorker {
  readonly identity: WorkerIdentity;
  readonly connectedAt: number;
  readonly attempts: Map<string, RemoteAttempt>;
  readonly record: WorkerRecord;
  hello: WorkerMessages['hello'];
  link: WorkerLink | undefined;
  /** When it was last connected. */
  seenAt: number;
  /** How many jobs it can begin now. */
  ready: number;
  isDraining: boolean;
  /** It was asked to load its node types. */
  isLoading: boolean;
  /** Its node types are known here. */
  isKnown: boolean;
  /** What it said last about its memory and its trouble. */
  status: WorkerMessages['status'] | undefined;
  forgetTimer: NodeJS.Timeout | undefined;
}

/** A worker that has said hello for the first time. It is not linked yet, and takes no jobs. */
export function newWorker(
  identity: WorkerIdentity,
  hello: WorkerMessages['hello'],
  { connectedAt, record }: Pick<ConnectedWorker, 'connectedAt' | 'record'>,
): ConnectedWorker {
  return {
    identity,
    connectedAt,
    attempts: new Map(),
    record,
    hello,
    link: undefined,
    seenAt: 0,
    ready: 0,
    isDraining: false,
    isLoading: false,
    isKnown: false,
    status: undefined,
    forgetTimer: undefined,
  };
}

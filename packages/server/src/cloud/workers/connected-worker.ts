import type { ToWorker, Worker, WorkerMessages } from '@atelier/contracts';

import type { RemoteAttempt } from './remote-attempt.ts';
import type { WorkerRecord } from './worker-records.ts';

/** Who may connect as a worker: the holder of a token, or the worker that this server has started. */
export interface WorkerIdentity {
  readonly tokenId: string;
  /** The labels that its token allows; `undefined` allows any. */
  readonly labels: readonly string[] | undefined;
  /** Whether this server started it, on its own machine. */
  readonly isOwn: boolean;
}

export interface WorkerLink {
  send(message: ToWorker): void;
  close(code: number, reason: string): void;
}

export type ConnectedWorker = ReturnType<typeof newWorker>;

/** One process of a worker, when it says hello for the first time. It is remembered for a while after its connection is lost. */
export function newWorker(
  identity: WorkerIdentity,
  hello: WorkerMessages['hello'],
  { connectedAt, record }: { readonly connectedAt: number; readonly record: WorkerRecord },
) {
  return {
    identity,
    connectedAt,
    attempts: new Map<string, RemoteAttempt>(),
    record,
    hello,
    link: undefined as WorkerLink | undefined,
    /** When it was last connected. */
    seenAt: 0,
    ready: 0,
    isDraining: false,
    /** It was asked to load its node types. */
    isLoading: false,
    /** Its node types are known here. */
    isKnown: false,
    /** Its last report about its memory and its trouble. */
    status: undefined as WorkerMessages['status'] | undefined,
    forgetTimer: undefined as NodeJS.Timeout | undefined,
  };
}

export function stateOf({ link, record, isDraining }: ConnectedWorker): Worker['state'] {
  if (!link) return 'away';
  if (record.quarantine !== undefined) return 'quarantined';
  return isDraining ? 'draining' : 'ready';
}

/** The labels of a worker that its token does not allow. Every ComfyUI worker has the label `comfyui`. */
export function forbiddenLabels(
  { kind, labels }: Pick<WorkerMessages['hello'], 'kind' | 'labels'>,
  allowed: readonly string[] | undefined,
): readonly string[] {
  if (!allowed) return [];
  return labels.filter((label) => !allowed.includes(label) && !(kind === 'comfyui' && label === kind));
}

import type { WorkerJob, WorkerMessages } from '@atelier/contracts';
import type { EngineEvent, Folders, Outcome } from '@atelier/engine/runner';

import type { LossReason } from './outbox.ts';
import type { ServerFilesOptions } from './server-files.ts';

/** A job whose files are in folders of this machine or at the server. */
export interface ExecutorJob extends Omit<WorkerJob, 'files'> {
  readonly files:
    | { readonly kind: 'folders'; readonly folders: Folders }
    | { readonly kind: 'server'; readonly options: ServerFilesOptions };
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

export interface Slot {
  /** Rejects with `AttemptLost` for trouble that the graph did not cause. */
  run(job: ExecutorJob, options: RunOptions): Promise<Outcome>;
  /** Must be called when the job is over. */
  free(): void;
}

/** What a worker runs its jobs with. */
export interface Executor {
  readonly kind: WorkerMessages['hello']['kind'];
  readonly slots: number;
  /** The description of its node types. Rejects when they cannot be loaded. */
  describe(): Promise<string>;
  /** Its memory, GPUs and models. `onChange` announces changes. */
  facts(): Pick<WorkerMessages['offer'], 'memoryBytes' | 'gpus' | 'models'>;
  /** The installation of the Atelier that runs its jobs, if it is one. */
  installation?(): string | undefined;
  /** Called with each connection. `owner` identifies the server and the worker, and is the same after a restart. */
  ownedBy?(owner: string): void;
  ready(): number;
  /** A ready slot, preferably one that may have results for this scope. */
  take(scope: string): Slot | undefined;
  /** Drops the results of earlier jobs of this scope. */
  forget(scope: string): void;
  /** Runs the check of a node pack; `question` is JSON. */
  check(question: string, folders: Folders): Promise<Omit<WorkerMessages['checked'], 'type' | 'id'>>;
  close(): Promise<void>;
}

export type ExecutorStatus = Omit<WorkerMessages['status'], 'type'>;

export interface ExecutorEvents {
  /** The server that partner nodes call. */
  readonly serverUrl: () => string;
  /** Called when `count` more jobs can begin. */
  readonly onReady: (count: number) => void;
  /** Called when its node types or its facts have changed. */
  readonly onChange: () => void;
  /** Called when its free memory or its trouble has changed. */
  readonly onStatus: (status: ExecutorStatus) => void;
  readonly onBroken: (error: unknown) => void;
}

/** The attempt did not end because of trouble of the worker. */
export class AttemptLost extends Error {
  override readonly name = 'AttemptLost';
  readonly why: LossReason;
  constructor(cause: LossReason['cause'], message: string) {
    super(message);
    this.why = { cause, message };
  }
}

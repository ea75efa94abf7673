import type { WorkerJob, WorkerMessages } from '@atelier/contracts';
import type { EngineEvent, Folders, Outcome } from '@atelier/engine/runner';

import type { LossReason } from './outbox.ts';
import type { ServerFilesOptions } from './server-files.ts';

/** A job, and where its files are: in folders of this machine, or at the server. */
export interface ExecutorJob extends Omit<WorkerJob, 'files'> {
  readonly files:
    | { readonly kind: 'folders'; readonly folders: Folders }
    | { readonly kind: 'server'; readonly options: ServerFilesOptions };
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

/** A place for one job. */
export interface Slot {
  /** Rejects with `AttemptLost` for trouble that is not the graph's. */
  run(job: ExecutorJob, options: RunOptions): Promise<Outcome>;
  /** Call it when the job is over. */
  free(): void;
}

/** What a worker runs its jobs with. */
export interface Executor {
  readonly kind: WorkerMessages['hello']['kind'];
  readonly slots: number;
  /** The description of its node types. Rejects when they cannot be loaded. */
  describe(): Promise<string>;
  /** What it has besides. Changes are announced with `onChange`. */
  facts(): Pick<WorkerMessages['offer'], 'memoryBytes' | 'gpus' | 'models'>;
  /** The installation of Atelier that its jobs run at, if that is what they run at. */
  installation?(): string | undefined;
  /** The server and the name of the worker, which stay the same when it starts again. Called with each connection. */
  ownedBy?(owner: string): void;
  /** How many jobs could begin at once. */
  ready(): number;
  /** A slot that is ready, by preference one that may have results for this scope. */
  take(scope: string): Slot | undefined;
  /** Results of earlier jobs of this scope are not wanted any more. */
  forget(scope: string): void;
  /** Asks the check that a node pack has brought; `question` is JSON. */
  check(question: string, folders: Folders): Promise<Omit<WorkerMessages['checked'], 'type' | 'id'>>;
  close(): Promise<void>;
}

export type ExecutorStatus = Omit<WorkerMessages['status'], 'type'>;

export interface ExecutorEvents {
  /** So many more jobs can begin. */
  readonly onReady: (count: number) => void;
  /** Its node types or its facts are not what they were. */
  readonly onChange: () => void;
  /** Its memory or its trouble is not what it was. */
  readonly onStatus: (status: ExecutorStatus) => void;
  /** It cannot go on. */
  readonly onBroken: (error: unknown) => void;
}

/** An attempt that did not end for reasons of the worker. */
export class AttemptLost extends Error {
  override readonly name = 'AttemptLost';
  readonly why: LossReason;
  constructor(cause: LossReason['cause'], message: string) {
    super(message);
    this.why = { cause, message };
  }
}

import type { CheckResult } from '../declare/node-type.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { Job } from '../execute/job-state.ts';
import type { Outcome } from '../execute/run-graph.ts';
import type { Folders } from '../folder-files.ts';
import type { Graph } from '../graph.ts';
import type { PackSources } from './load-packs.ts';

/** Files that are not in folders of this machine. */
export interface RemoteFiles {
  /** The address of a module that exports `openFiles`. */
  readonly module: string;
  /** What `openFiles` is called with. */
  readonly options: unknown;
  /** Where scratch files go. */
  readonly scratchIn: string;
}

/** A job as it is handed to a process. Large parts may be JSON, which the process parses. */
export type RunnerJob = Omit<Job, 'files' | 'graph' | 'extraData'> & {
  readonly graph: Graph | string;
  readonly extraData?: Job['extraData'] | string;
} & ({ readonly folders: Folders } | { readonly remoteFiles: RemoteFiles });

export interface ProcessOptions {
  readonly packs: PackSources;
  readonly memoryBytes: number;
  readonly spareBytes: number;
  readonly cacheBytes: number;
}

export type ToProcess =
  | { readonly kind: 'start'; readonly options: ProcessOptions }
  | {
      readonly kind: 'run';
      readonly job: RunnerJob;
      /** Repeated in the messages about this job, so that none is taken for one of the next job. */
      readonly run: number;
      readonly env: Readonly<Record<string, string>>;
      /** The name of the folder for scratch files, which the parent removes when the process cannot. */
      readonly scratch: string;
      /** A file that exists once the job is cancelled, because a node that computes reads no messages. */
      readonly cancelFile: string;
    }
  | {
      readonly kind: 'check';
      /** A `CheckQuestion`, as JSON. */
      readonly question: string;
      readonly run: number;
      readonly folders: Folders;
    }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'forget' };

export type FromProcess =
  /** `description` is of the node types; see `describeNodes`. */
  | { readonly kind: 'ready'; readonly description: string }
  /** `pack` is the one that cannot be loaded, if that is the reason. */
  | { readonly kind: 'broken'; readonly message: string; readonly pack: string | undefined }
  /** Something failed outside the call of a node. `run` is the job that started it, if known. */
  | { readonly kind: 'fault'; readonly run: number | undefined; readonly message: string }
  /** The process has the job. Sent before the job can end the process. */
  | { readonly kind: 'begun'; readonly run: number }
  | { readonly kind: 'events'; readonly run: number; readonly events: readonly EngineEvent[] }
  /** With the events that were not yet sent. */
  | {
      readonly kind: 'done';
      readonly run: number;
      readonly events: readonly EngineEvent[];
      readonly outcome: Outcome;
    }
  | { readonly kind: 'checked'; readonly run: number; readonly result: CheckResult }
  /** An error that is sent as it is loses its name. */
  | {
      readonly kind: 'checkFailed';
      readonly run: number;
      readonly error: Pick<Error, 'name' | 'message'>;
    };

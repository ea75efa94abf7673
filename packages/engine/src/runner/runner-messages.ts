import type { EngineEvent } from '../engine-events.ts';
import type { Job } from '../execute/job-state.ts';
import type { Outcome } from '../execute/run-graph.ts';
import type { Folders } from '../folder-files.ts';
import type { Graph } from '../graph.ts';
import type { PackSources } from './load-packs.ts';

/** A job as it is handed to a thread: its files are folders of this machine. What may be large may be JSON, which the thread parses. */
export interface RunnerJob extends Omit<Job, 'files' | 'graph' | 'extraData'> {
  readonly graph: Graph | string;
  readonly extraData?: Job['extraData'] | string;
  readonly folders: Folders;
}

/** What a thread is started with. */
export interface ThreadOptions {
  readonly packs: PackSources;
  readonly memoryBytes: number;
  readonly spareBytes: number;
  readonly cacheBytes: number;
}

export type ToThread =
  | {
      readonly kind: 'run';
      readonly job: RunnerJob;
      /** Messages about this job carry it, so that none is taken for the next one's. */
      readonly run: number;
      /** The name of its folder for scratch files, which somebody else removes when the thread cannot. */
      readonly scratch: string;
      readonly cancelled: Int32Array<SharedArrayBuffer>;
    }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'forget' }
  | { readonly kind: 'exit' };

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly message: string }
  /** Something failed that no call of a node is waited for. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'event'; readonly run: number; readonly event: EngineEvent }
  | { readonly kind: 'done'; readonly run: number; readonly outcome: Outcome };

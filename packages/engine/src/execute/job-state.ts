import type { Arena } from '../arena.ts';
import type { ResultCache, ShownOutput } from '../cache/result-cache.ts';
import type { NodeCatalogue } from '../catalogue.ts';
import type { NodeType } from '../declare/node-type.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { JobFiles } from '../files.ts';
import type { Graph } from '../graph.ts';
import type { createOutputBounds } from './bound-output.ts';
import type { CallResult, InputLists } from './call-node.ts';
import type { DynamicGraph } from './dynamic-graph.ts';
import type { ExecutionList } from './execution-list.ts';
import type { JobProgress } from './job-progress.ts';
import type { JobResults } from './job-results.ts';

export interface RunnerParts {
  readonly catalogue: NodeCatalogue<NodeType>;
  readonly arena: Arena;
  readonly cache: ResultCache;
}

export interface Job {
  readonly jobId: string;
  readonly graph: Graph;
  /** The output nodes to run: those that validation accepted. */
  readonly targets: readonly string[];
  /** The ids of the nodes in the order they were submitted in; see `parsePrompt`. */
  readonly order?: readonly string[];
  readonly extraData?: Readonly<Record<string, unknown>>;
  /** Results are never shared between two scopes. */
  readonly scope?: string;
  readonly files: JobFiles;
}

export interface JobState {
  readonly job: Job;
  readonly parts: RunnerParts;
  readonly graph: DynamicGraph;
  readonly list: ExecutionList;
  readonly results: JobResults;
  readonly progress: JobProgress;
  /** The key of each node's result in the cache. */
  readonly keys: ReadonlyMap<string, string>;
  readonly executed: Set<string>;
  readonly shown: Map<string, ShownOutput>;
  readonly boundOutput: ReturnType<typeof createOutputBounds>;
  /** What async nodes returned or threw. */
  readonly arrived: Map<string, Arrival>;
  /** The return values of nodes that wait for the nodes they expanded into. */
  readonly expanded: Map<string, readonly CallResult[]>;
  /** Buffers that a call returned and that are not yet part of a result. */
  readonly held: Map<string, ReadonlySet<ArrayBuffer>>;
  readonly signal: AbortSignal;
  emit(event: EngineEvent): void;
  checkpoint(): void;
  /** Whether the job has ended, so that code that still runs has no effect. */
  isOver(): boolean;
  wake(): void;
  /** Finds the keys and cached results of new nodes, before they are scheduled. */
  prepare(ids: readonly string[]): Promise<void>;
}

export type Arrival =
  | { readonly calls: readonly CallResult[] }
  | { readonly error: unknown; readonly inputs: InputLists };

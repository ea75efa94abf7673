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
  /** Output nodes to run, those that validation found good. */
  readonly targets: readonly string[];
  /** The ids of the nodes in the order they were submitted in; see `parsePrompt`. */
  readonly order?: readonly string[];
  readonly extraData?: Readonly<Record<string, unknown>>;
  /** Whose job it is: results are never shared between two of these. */
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
  /** What nodes that wait outside have come back with. */
  readonly arrived: Map<string, Arrival>;
  /** Nodes that wait for the nodes they expanded into, with what they returned. */
  readonly expanded: Map<string, readonly CallResult[]>;
  /** Buffers that a call returned and that are not yet part of a result. */
  readonly held: Map<string, ReadonlySet<ArrayBuffer>>;
  readonly signal: AbortSignal;
  emit(event: EngineEvent): void;
  checkpoint(): void;
  /** The job has ended; what still runs has no effect any more. */
  isOver(): boolean;
  wake(): void;
  /** Makes new nodes ready to be scheduled: their keys, and what of them is known. */
  prepare(ids: readonly string[]): Promise<void>;
}

/** What a node that waited outside came back with. */
export type Arrival =
  | { readonly calls: readonly CallResult[] }
  | { readonly error: unknown; readonly inputs: InputLists };

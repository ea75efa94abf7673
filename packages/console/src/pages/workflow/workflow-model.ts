/**
 * The state of the open workflow, shared by the form and the graph.
 *
 * `useWorkflowModel()` returns a `WorkflowModel`: read `nodes` (both formats, flat; `5:7` is node 7 inside subgraph node 5) and draw from `json`
 * what only the graph view needs (positions, links, groups, definitions). Change values with `setValue(nodeId, input, value)` and
 * `setMode(nodeId, mode)`; every change is one step of `undo()`, and changes of the same input in quick succession are one together. `problems` has what is missing before a run
 * and what the server said after one, with `problemsOf(nodeId, input?)`. `run()` submits what is on the screen; `currentJobId` is the job
 * that is shown, `live` how far its nodes are (`live.nodes.get(nodeId)`), and `jobIds` has all runs.
 */
import type { NodeCatalogue } from '@atelier/engine/editor-format';
import type { NodeTypes } from '@atelier/sdk';
import { createContext, use } from 'react';
import type { SeedControl } from './document/editor-widgets.ts';
import type { Problem } from './document/find-problems.ts';
import type { Json } from './document/json.ts';
import type { NodeMode, WorkflowNode } from './document/workflow-nodes.ts';
import type { LiveRun } from './live-run.ts';
import type { WorkflowSource } from './workflow-source.ts';

export interface WorkflowModel {
  /** The name of the workflow; empty if it has none. */
  readonly name: string;
  rename(name: string): void;
  /** Where it comes from. */
  readonly source: WorkflowSource;
  readonly format: 'api' | 'editor';
  /** The current content of the file. Never mutated. */
  readonly json: Json;
  readonly nodeTypes: NodeTypes;
  /** The same, parsed: inputs with their kinds and options. */
  readonly catalogue: NodeCatalogue;
  readonly nodes: readonly WorkflowNode[];
  nodeOf(id: string): WorkflowNode | undefined;

  setValue(nodeId: string, input: string, value: unknown): void;
  /** What happens to a seed after each run. */
  setControl(nodeId: string, input: string, control: SeedControl): void;
  /** For one node, or several in one step. */
  setMode(nodeIds: string | readonly string[], mode: NodeMode): void;
  setNote(nodeId: string, text: string): void;
  /** Replaces the content, for example with an earlier version. */
  replace(json: Json): void;
  /** The saved version; absent for a draft. */
  readonly savedJson: Json | undefined;
  /** Loads what has been saved elsewhere, such as in the full editor. */
  adopt(saved: Json): void;
  undo(): void;
  redo(): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Whether there are unsaved changes. */
  readonly isDirty: boolean;
  /** Marks the current content as saved. */
  markSaved(): void;

  readonly problems: readonly Problem[];
  /** Of a node, or of one of its inputs. */
  problemsOf(nodeId: string, input?: string): readonly Problem[];
  /** The server's message about the workflow as a whole. */
  readonly failure: string | undefined;

  /** Seeds that change with each run, as `nodeId.input`. */
  readonly randomized: ReadonlySet<string>;
  setRandomized(key: string, isOn: boolean): void;
  /** Submits the current content. Seeds with a control change first. */
  run(): void;
  readonly isSubmitting: boolean;
  cancel(jobId: string): void;
  /** Runs of this workflow, the newest first. */
  readonly jobIds: readonly string[];
  /** The shown run. */
  readonly currentJobId: string | undefined;
  show(jobId: string): void;
  /** The progress of the shown job, node by node. */
  readonly live: LiveRun;
}

export const WorkflowModelContext = createContext<WorkflowModel | undefined>(undefined);

/** The open workflow. Inside the workflow page only. */
export function useWorkflowModel(): WorkflowModel {
  const model = use(WorkflowModelContext);
  if (!model) throw new Error('There is no open workflow above.');
  return model;
}

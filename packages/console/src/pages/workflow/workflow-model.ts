/**
 * The state of the open workflow, shared by the form and the graph.
 *
 * `useWorkflowModel()` gives a `WorkflowModel`: read `nodes` (both formats, flat; `5:7` is node 7 inside subgraph node 5) and draw from `json`
 * what only a drawing needs (positions, links, groups, definitions). Change values with `setValue(nodeId, input, value)` and
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
  /** What the workflow is called; empty for one without a name. */
  readonly name: string;
  rename(name: string): void;
  /** Where it comes from. */
  readonly source: WorkflowSource;
  readonly format: 'api' | 'editor';
  /** The whole file as it is now. Never changed in place. */
  readonly json: Json;
  readonly nodeTypes: NodeTypes;
  /** The same, read: inputs with their kinds and options. */
  readonly catalogue: NodeCatalogue;
  readonly nodes: readonly WorkflowNode[];
  nodeOf(id: string): WorkflowNode | undefined;

  setValue(nodeId: string, input: string, value: unknown): void;
  /** What happens to a seed after each run. */
  setControl(nodeId: string, input: string, control: SeedControl): void;
  /** Of one node, or of several in one step. */
  setMode(nodeIds: string | readonly string[], mode: NodeMode): void;
  setNote(nodeId: string, text: string): void;
  /** Another content of the same workflow: a version. */
  replace(json: Json): void;
  /** What the server has; absent for a draft. */
  readonly savedJson: Json | undefined;
  /** Shows what has been saved elsewhere, such as in the full editor. */
  adopt(saved: Json): void;
  undo(): void;
  redo(): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** There are changes that are not saved. */
  readonly isDirty: boolean;
  /** What is on the screen has been saved. */
  markSaved(): void;

  readonly problems: readonly Problem[];
  /** Of a node, or of one of its inputs. */
  problemsOf(nodeId: string, input?: string): readonly Problem[];
  /** What is wrong with the workflow as a whole, in the server's words. */
  readonly failure: string | undefined;

  /** Seeds that change with each run, as `nodeId.input`. */
  readonly randomized: ReadonlySet<string>;
  setRandomized(key: string, isOn: boolean): void;
  /** Submits what is on the screen. Seeds that are to change do so first. */
  run(): void;
  readonly isSubmitting: boolean;
  cancel(jobId: string): void;
  /** Runs of this workflow, the newest first. */
  readonly jobIds: readonly string[];
  /** The one that is shown. */
  readonly currentJobId: string | undefined;
  show(jobId: string): void;
  /** How far the shown job is, node by node. */
  readonly live: LiveRun;
}

export const WorkflowModelContext = createContext<WorkflowModel | undefined>(undefined);

/** The open workflow. Inside the workflow page only. */
export function useWorkflowModel(): WorkflowModel {
  const model = use(WorkflowModelContext);
  if (!model) throw new Error('There is no open workflow above.');
  return model;
}

import {
  type CheckQuestion,
  type CheckResult,
  type FileNames,
  flatInputs,
  type Graph,
  isEditorWorkflow,
  type NodeCatalogue,
  type SubmittedPrompt,
  toApiFormat,
  toJson,
  UnreadableWorkflow,
  unknownInputs,
  validatePrompt,
} from '@atelier/engine';

import type { EngineKind, JobNeeds } from '../workers/matching/job-needs.ts';
import { type Catalogues, choosePlace } from './choose-place.ts';
import { readSubmission, type Submission } from './read-submission.ts';
import { readV2Submission, type V2Reading } from './read-v2-submission.ts';
import { refused, refusedPrompt } from './refused-prompt.ts';

export interface ValidationRequest {
  readonly text: string;
  readonly usageSource: string | undefined;
  readonly createTime: number;
  /** For a body of the Comfy API v2. */
  readonly v2?: V2Reading | undefined;
}

export interface ValidationParts {
  readonly catalogues: Catalogues;
  readonly files: FileNames;
  /** Runs the code of a custom check in another process. */
  readonly askCheck: (question: CheckQuestion) => Promise<CheckResult>;
}

/** A graph that can run. Large fields are JSON: they are stored as text, and may come from another thread. */
export interface ValidatedSubmission
  extends Omit<Submission, 'submitted' | 'targets' | 'extraData' | 'workerLabels' | 'warnings'> {
  readonly graph: string;
  readonly targets: string;
  readonly nodeOrder: string;
  readonly extraData: string;
  readonly nodeErrors: string;
  /** Problems of parts that are ignored, if any. */
  readonly warnings: string | undefined;
  /** The types of its partner nodes, each once. */
  readonly partnerNodes: readonly string[];
  /** What its worker must have; `models` are all values of its combos. */
  readonly needs: JobNeeds;
}

/** Reads, converts and validates what was submitted. Throws `RefusedPrompt`, and `UnnamedAssets` of a body that needs names. */
export async function validateSubmission(
  { text, usageSource, createTime, v2 }: ValidationRequest,
  { catalogues, files, askCheck }: ValidationParts,
): Promise<ValidatedSubmission> {
  const submission = v2 ? readV2Submission(text, v2) : readSubmission(text);
  const { submitted, targets, extraData, workerLabels, warnings: ignored, ...kept } = submission;
  const { kind, catalogue, graph } = placeOf(submission, catalogues);
  const { prompt, order, exact } = graph;
  const validation = await validatePrompt(prompt, { catalogue, files, targets, order, exact, askCheck });
  if (!validation.ok) throw refused(validation.error, validation.node_errors);
  const warnings = [...ignored, ...unknownInputs(validation.graph, catalogue)];
  return {
    ...kept,
    graph: toJson(validation.graph),
    targets: JSON.stringify(validation.targets),
    nodeOrder: JSON.stringify(order),
    extraData: toJson({
      ...(usageSource === undefined ? {} : { comfy_usage_source: usageSource }),
      ...withWorkflow(extraData, submitted.prompt),
      ...(kept.clientId === null ? {} : { client_id: kept.clientId }),
      create_time: createTime,
    }),
    nodeErrors: toJson(validation.node_errors),
    warnings: warnings.length === 0 ? undefined : toJson(warnings),
    // A ComfyUI server calls its partners itself, and gets no credentials from us.
    partnerNodes: kind === 'comfyui' ? [] : partnerNodesIn(validation.graph, catalogue),
    needs: {
      nodeTypes: [...new Set(Object.values(validation.graph).map(({ class_type }) => class_type))].toSorted(),
      labels: workerLabels.toSorted(),
      ...(kind === 'comfyui' ? { kind, models: chosenIn(validation.graph, catalogue) } : {}),
    },
  };
}

/** Where the job will run, and its graph for that place. */
function placeOf(
  { submitted, workerLabels }: Submission,
  catalogues: Catalogues,
): { readonly kind: EngineKind; readonly catalogue: NodeCatalogue; readonly graph: SubmittedPrompt } {
  const given = toGraph(submitted, catalogues.union);
  const place = choosePlace(given, workerLabels, catalogues);
  // Of two types with one name, the union has the built-in one; that of ComfyUI may have other widgets.
  const graph = place.kind === 'comfyui' ? toGraph(submitted, place.catalogue) : given;
  return { ...place, graph };
}

/** The values of its combos. Those that are model files determine the worker. */
function chosenIn(graph: Graph, catalogue: NodeCatalogue): readonly string[] {
  const chosen = new Set<string>();
  for (const { class_type, inputs } of Object.values(graph)) {
    const type = catalogue.get(class_type);
    for (const { name, input } of type ? flatInputs(type, inputs) : []) {
      const value = inputs[name];
      if (input.kind === 'combo' && typeof value === 'string') chosen.add(value);
    }
  }
  return [...chosen].toSorted();
}

/** The submitted graph, converted from the editor format if necessary. */
function toGraph(submitted: SubmittedPrompt, catalogue: NodeCatalogue): SubmittedPrompt {
  if (!isEditorWorkflow(submitted.prompt)) return submitted;
  try {
    return toApiFormat(submitted.prompt, { catalogue });
  } catch (error) {
    if (!(error instanceof UnreadableWorkflow)) throw error;
    throw refusedPrompt('invalid_workflow', 'The workflow of the editor cannot be converted', error.message);
  }
}

/** Keeps a workflow in the editor format where the editor looks for it. */
function withWorkflow(extraData: Submission['extraData'], prompt: unknown): Submission['extraData'] {
  if (!isEditorWorkflow(prompt) || extraData['extra_pnginfo'] !== undefined) return extraData;
  return { ...extraData, extra_pnginfo: { workflow: prompt } };
}

function partnerNodesIn(graph: Graph, catalogue: NodeCatalogue): readonly string[] {
  const types = new Set<string>();
  for (const { class_type } of Object.values(graph)) {
    if (catalogue.get(class_type)?.apiNode === true) types.add(class_type);
  }
  return [...types];
}

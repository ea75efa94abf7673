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
  /** Of a body in the form of the Comfy API v2. */
  readonly v2?: V2Reading | undefined;
}

export interface ValidationParts {
  readonly catalogues: Catalogues;
  readonly files: FileNames;
  /** Runs the code of a custom check, somewhere else. */
  readonly askCheck: (question: CheckQuestion) => Promise<CheckResult>;
}

/** A graph that may run. What is large is JSON: it goes into the database as it is, and may come from another thread. */
export interface ValidatedSubmission
  extends Pick<
    Submission,
    'promptId' | 'clientId' | 'workflowId' | 'workflowName' | 'tags' | 'metadata' | 'partnerKey' | 'webhook'
  > {
  readonly graph: string;
  readonly targets: string;
  readonly nodeOrder: string;
  readonly extraData: string;
  readonly nodeErrors: string;
  /** What was sent and is ignored, if anything. */
  readonly warnings: string | undefined;
  /** The types of its partner nodes, each once. */
  readonly partnerNodes: readonly string[];
  /** What its worker must have; `models` are all choices of its combos. */
  readonly needs: JobNeeds;
}

/** Reads, converts and validates what was submitted. Throws `RefusedPrompt`, and `UnnamedAssets` of a body that needs names. */
export async function validateSubmission(
  { text, usageSource, createTime, v2 }: ValidationRequest,
  { catalogues, files, askCheck }: ValidationParts,
): Promise<ValidatedSubmission> {
  const submission = v2 ? readV2Submission(text, v2) : readSubmission(text);
  const { promptId, clientId, workflowId, workflowName, tags, metadata, partnerKey, webhook, targets } =
    submission;
  const { kind, catalogue, graph } = placeOf(submission, catalogues);
  const { prompt, order, exact } = graph;
  const validation = await validatePrompt(prompt, { catalogue, files, targets, order, exact, askCheck });
  if (!validation.ok) throw refused(validation.error, validation.node_errors);
  const warnings = [...submission.warnings, ...unknownInputs(validation.graph, catalogue)];
  return {
    promptId,
    clientId,
    workflowId,
    workflowName,
    tags,
    metadata,
    partnerKey,
    webhook,
    graph: toJson(validation.graph),
    targets: JSON.stringify(validation.targets),
    nodeOrder: JSON.stringify(order),
    extraData: toJson({
      ...(usageSource === undefined ? {} : { comfy_usage_source: usageSource }),
      ...withWorkflow(submission),
      ...(clientId === null ? {} : { client_id: clientId }),
      create_time: createTime,
    }),
    nodeErrors: toJson(validation.node_errors),
    warnings: warnings.length === 0 ? undefined : toJson(warnings),
    // A ComfyUI server asks its partners itself, and gets no credentials of ours.
    partnerNodes: kind === 'comfyui' ? [] : partnerNodesIn(validation.graph, catalogue),
    needs: {
      nodeTypes: [...new Set(Object.values(validation.graph).map(({ class_type }) => class_type))].toSorted(),
      labels: submission.workerLabels.toSorted(),
      ...(kind === 'comfyui' ? { kind, models: chosenIn(validation.graph, catalogue) } : {}),
    },
  };
}

/** Where the job will run, and the graph as it is there. */
function placeOf(
  submission: Submission,
  catalogues: Catalogues,
): { readonly kind: EngineKind; readonly catalogue: NodeCatalogue; readonly graph: SubmittedPrompt } {
  const given = toGraph(submission, catalogues.union);
  const place = choosePlace(given, submission.workerLabels, catalogues);
  // Of one name the union has the built-in type; that of ComfyUI may have other widgets.
  const graph = place.kind === 'comfyui' ? toGraph(submission, place.catalogue) : given;
  return { ...place, graph };
}

/** The choices that its combos make. Those that are model files decide about the worker. */
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

/** The graph that was submitted; what the editor saves is converted, since that is what most people have at hand. */
function toGraph({ prompt, order, exact }: Submission, catalogue: NodeCatalogue): SubmittedPrompt {
  if (!isEditorWorkflow(prompt)) return { prompt, order, exact };
  try {
    return toApiFormat(prompt, { catalogue });
  } catch (error) {
    if (!(error instanceof UnreadableWorkflow)) throw error;
    throw refusedPrompt('invalid_workflow', 'The workflow of the editor cannot be converted', error.message);
  }
}

/** What was submitted as the editor saves it stays where the editor looks for it. */
function withWorkflow({ prompt, extraData }: Submission): Readonly<Record<string, unknown>> {
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

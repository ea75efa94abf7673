import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import type { NodeCatalogue } from '../catalogue.ts';
import type { FileNames } from '../files.ts';
import { type Graph, linksOf } from '../graph.ts';
import { createDeclarations } from './declarations.ts';
import { collectErrors, type NodeValidation, outputLines } from './node-errors.ts';
import { exceptionProblem, problem } from './problems.ts';
import { type Draft, toDraft } from './prompt-draft.ts';
import { restoreFloats } from './restore-floats.ts';
import { type NodeParts, validateNode } from './validate-node.ts';
import { type Walk, walkOutputs } from './walk-outputs.ts';

export interface ValidateParts {
  readonly catalogue: NodeCatalogue;
  readonly files: FileNames;
  /** Validates these output nodes only. */
  readonly targets?: readonly string[] | undefined;
  /** The ids of the nodes in the order they were submitted in; see `parsePrompt`. */
  readonly order?: readonly string[];
  /** The prompt with floats such as 5.0 kept apart from integers; see `parsePrompt`. */
  readonly exact?: (() => unknown) | undefined;
  /** Runs the check of a node type that is code of its pack; see `answerCheck`. */
  readonly askCheck?: NodeParts['askCheck'];
}

export type Validation =
  | {
      readonly ok: true;
      readonly graph: Graph;
      readonly targets: readonly string[];
      readonly node_errors: Readonly<Record<string, NodeProblems>>;
    }
  | {
      readonly ok: false;
      readonly error: PromptProblem;
      readonly node_errors: Readonly<Record<string, NodeProblems>>;
    };

const VALID: NodeValidation = { problems: [], isValid: true };

/** Validates a submitted graph. Valid outputs run even when others are invalid. */
export async function validatePrompt(prompt: unknown, parts: ValidateParts): Promise<Validation> {
  if (prompt === undefined || prompt === null) {
    return refused(problem('no_prompt', 'No prompt provided', 'Send the workflow as {"prompt": {…}}.'));
  }
  if (!isObject(prompt)) {
    return refused(
      problem('invalid_prompt', 'The prompt is not an object', 'A prompt is an object of nodes by their id.'),
    );
  }
  const made = toDraft(prompt, parts.catalogue, parts.order);
  if ('problem' in made) return refused(made.problem);
  const outputs = outputsOf(made.draft, parts);
  if (outputs.length === 0)
    return refused(problem('prompt_no_outputs', 'Prompt has no outputs', noOutputs(parts)));
  return await validateOutputs(made.draft, outputs, parts);
}

function refused(error: PromptProblem): Validation {
  return { ok: false, error, node_errors: {} };
}

function noOutputs({ targets }: ValidateParts): string {
  return targets
    ? 'None of partial_execution_targets is an output node of the workflow.'
    : 'No node of the workflow saves or shows anything. Add one, such as SaveImage or PreviewImage.';
}

function outputsOf(draft: Draft, { catalogue, targets }: ValidateParts): string[] {
  const wanted = targets && new Set(targets);
  const outputs: string[] = [];
  for (const [id, { class_type }] of draft) {
    if (catalogue.get(class_type)?.outputNode && (!wanted || wanted.has(id))) outputs.push(id);
  }
  return outputs;
}

async function validateOutputs(
  draft: Draft,
  outputs: readonly string[],
  { catalogue, files, exact, askCheck = cannotAsk }: ValidateParts,
): Promise<Validation> {
  const walk = walkOutputs(draft, outputs);
  const graph = Object.fromEntries(draft);
  const declarations = createDeclarations(catalogue, files);
  const parts = { catalogue, files, draft, declarations, askCheck };
  if (exact) restoreFloats(draft, parts.declarations, exact);
  const validations = new Map<string, NodeValidation>();
  let allValid = true;
  for (const id of walk.order) {
    const problems = await problemsOf(id, parts, walk);
    // In a cycle, a node may depend on one that is not validated yet, but then it has a problem itself.
    const before: boolean =
      allValid || linksFrom(draft, id).every((from) => validations.get(from)?.isValid !== false);
    const isValid: boolean = problems.length === 0 && before;
    allValid &&= isValid;
    validations.set(id, isValid ? VALID : { problems, isValid });
  }
  if (allValid) return { ok: true, graph, targets: outputs, node_errors: {} };
  const targets = outputs.filter((id) => validations.get(id)?.isValid);
  const node_errors = collectErrors(draft, outputs, validations);
  if (targets.length > 0) return { ok: true, graph, targets, node_errors };
  const error = problem('prompt_outputs_failed_validation', 'Prompt outputs failed validation', '');
  return { ok: false, error: { ...error, details: outputLines(outputs, validations) }, node_errors };
}

const cannotAsk: NodeParts['askCheck'] = async ({ type }) =>
  await Promise.reject(new Error(`The check of ${type} cannot be run here.`));

async function problemsOf(id: string, parts: NodeParts, walk: Walk): Promise<readonly PromptProblem[]> {
  const cycle = walk.cycles.get(id);
  if (cycle) return [cycle];
  const node = parts.draft.get(id);
  const type = node && parts.catalogue.get(node.class_type);
  if (!type) return [];
  try {
    return await validateNode(parts, node, type);
  } catch (error) {
    return [await toExceptionProblem(error, id, parts, walk)];
  }
}

/** ComfyUI reports a failure of an output and one of a node that another node links to in different ways. */
async function toExceptionProblem(
  error: unknown,
  id: string,
  { draft, declarations }: NodeParts,
  { arrivals }: Walk,
): Promise<PromptProblem> {
  const arrival = arrivals.get(id);
  const reader = arrival && draft.get(arrival.reader);
  if (!reader) return exceptionProblem(error);
  const { input } = arrival;
  const declared = declarations.of(reader).get(input)?.input;
  const config = declared ? await declarations.shownConfig(declared) : null;
  return exceptionProblem(error, { input, link: reader.inputs[input], config });
}

function linksFrom(draft: Draft, id: string): string[] {
  const node = draft.get(id);
  return node ? linksOf(node).map(({ from }) => from) : [];
}

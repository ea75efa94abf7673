import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import type { NodeCatalogue } from '../catalogue.ts';
import type { JobFiles } from '../files.ts';
import { type Graph, isLink } from '../graph.ts';
import { dependenciesFirst } from '../graph-order.ts';
import { findCycles } from './find-cycles.ts';
import { problem } from './problems.ts';
import { BrokenLink, type Draft, type DraftNode, validateNode } from './validate-node.ts';

export interface ValidateParts {
  readonly catalogue: NodeCatalogue;
  readonly files: JobFiles;
  /** Only these output nodes, when given. */
  readonly targets?: readonly string[] | undefined;
}

export type Validation =
  | {
      readonly ok: true;
      /** With converted values. */
      readonly graph: Graph;
      /** Output nodes that can run. */
      readonly targets: readonly string[];
      /** What is wrong with those that cannot. */
      readonly node_errors: Readonly<Record<string, NodeProblems>>;
    }
  | {
      readonly ok: false;
      readonly error: PromptProblem;
      readonly node_errors: Readonly<Record<string, NodeProblems>>;
    };

/** Judges a submitted graph. Outputs that are sound run, even when others are not. */
export async function validatePrompt(prompt: unknown, parts: ValidateParts): Promise<Validation> {
  if (prompt === undefined || prompt === null) {
    return refused(problem('no_prompt', 'No prompt provided', 'No prompt provided'));
  }
  if (!isRecord(prompt)) {
    return refused(
      problem('invalid_prompt', 'The prompt is not an object', 'A prompt is an object of nodes by their id.'),
    );
  }
  const draft: Record<string, DraftNode> = {};
  for (const [id, node] of Object.entries(prompt)) {
    const found = toDraft(id, node, parts.catalogue);
    if ('problem' in found) return refused(found.problem);
    draft[id] = found.node;
  }
  const outputs = Object.keys(draft).filter((id) => isOutput(parts, draft, id));
  if (outputs.length === 0) return refused(problem('prompt_no_outputs', 'Prompt has no outputs', ''));
  return await judge(draft, outputs, parts);
}

function refused(error: PromptProblem): Validation {
  return { ok: false, error, node_errors: {} };
}

function isOutput({ catalogue, targets }: ValidateParts, draft: Draft, id: string): boolean {
  if (!catalogue.get(draft[id]?.class_type ?? '')?.outputNode) return false;
  return targets === undefined || targets.includes(id);
}

function toDraft(
  id: string,
  node: unknown,
  catalogue: NodeCatalogue,
): { readonly node: DraftNode } | { readonly problem: PromptProblem } {
  const record = isRecord(node) ? node : {};
  const classType = record['class_type'];
  const title = isRecord(record['_meta']) ? record['_meta']['title'] : undefined;
  const named = typeof title === 'string' && title !== '' ? title : undefined;
  const missing = (message: string, class_type: string | null) => ({
    problem: problem('missing_node_type', message, `Node ID '#${id}'`, {
      node_id: id,
      class_type,
      node_title: named ?? class_type ?? `ID #${id}`,
    }),
  });
  if (typeof classType !== 'string') {
    return missing(`Node '${named ?? `ID #${id}`}' has no class_type, so it cannot be run.`, null);
  }
  if (!catalogue.get(classType)) {
    return missing(
      `Node '${named ?? classType}' not found: there is no node type ${classType} here.`,
      classType,
    );
  }
  const inputs = isRecord(record['inputs']) ? { ...record['inputs'] } : {};
  return { node: { ...record, class_type: classType, inputs } };
}

interface Verdict {
  readonly problems: readonly PromptProblem[];
  /** Neither it nor anything before it has a problem. */
  readonly sound: boolean;
}

async function judge(draft: Draft, outputs: readonly string[], parts: ValidateParts): Promise<Validation> {
  const verdicts = new Map<string, Verdict>();
  const cycles = findCycles(draft, outputs);
  for (const output of outputs) {
    for (const id of ancestry(draft, output)) {
      if (!verdicts.has(id))
        verdicts.set(id, await verdictOf(draft, id, { ...parts, verdicts, cycles, outputs }));
    }
  }
  const targets = outputs.filter((id) => verdicts.get(id)?.sound);
  const node_errors = collectErrors(draft, outputs, verdicts);
  if (targets.length > 0) return { ok: true, graph: draft, targets, node_errors };
  const lines = outputs.flatMap((id) => verdicts.get(id)?.problems ?? []);
  const details = lines.map(({ message, details: what }) => `${message}: ${what}`).join('\n');
  const error = problem('prompt_outputs_failed_validation', 'Prompt outputs failed validation', details);
  return { ok: false, error, node_errors };
}

interface VerdictParts extends ValidateParts {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly cycles: ReadonlyMap<string, PromptProblem>;
  readonly outputs: readonly string[];
}

async function verdictOf(draft: Draft, id: string, parts: VerdictParts): Promise<Verdict> {
  const cycle = parts.cycles.get(id);
  if (cycle) return { problems: [cycle], sound: false };
  const node = draft[id];
  const type = node && parts.catalogue.get(node.class_type);
  if (!node || !type) return { problems: [], sound: false };
  try {
    const problems = await validateNode({ ...parts, graph: draft }, id, type);
    const before = linksOf(node).every((from) => parts.verdicts.get(from)?.sound !== false);
    return { problems, sound: problems.length === 0 && before };
  } catch (error) {
    return { problems: [exceptionProblem(draft, id, error, parts)], sound: false };
  }
}

/** An output's own failure is told apart from that of a node somebody links to. */
function exceptionProblem(
  draft: Draft,
  id: string,
  thrown: unknown,
  { outputs }: VerdictParts,
): PromptProblem {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const told = {
    exception_type: error.name,
    traceback: error instanceof BrokenLink ? [] : (error.stack ?? '').split('\n'),
  };
  const reader = outputs.includes(id) ? undefined : readerOf(draft, id);
  if (!reader) {
    return problem('exception_during_validation', 'Exception when validating node', error.message, told);
  }
  return problem('exception_during_inner_validation', 'Exception when validating inner node', error.message, {
    input_name: reader.input,
    exception_message: error.message,
    ...told,
    linked_node: reader.link,
  });
}

function readerOf(draft: Draft, id: string): { readonly input: string; readonly link: unknown } | undefined {
  for (const node of Object.values(draft)) {
    for (const [input, link] of Object.entries(node.inputs)) {
      if (Array.isArray(link) && link[0] === id) return { input, link };
    }
  }
  return undefined;
}

/** The nodes with problems of their own, each with the outputs that need it. */
function collectErrors(
  draft: Draft,
  outputs: readonly string[],
  verdicts: ReadonlyMap<string, Verdict>,
): Record<string, NodeProblems> {
  const dependents = new Map<string, string[]>();
  for (const output of outputs) {
    if (verdicts.get(output)?.sound) continue;
    for (const id of ancestry(draft, output)) {
      if ((verdicts.get(id)?.problems.length ?? 0) > 0)
        dependents.set(id, [...(dependents.get(id) ?? []), output]);
    }
  }
  return Object.fromEntries(
    [...dependents].map(([id, dependent_outputs]) => [
      id,
      {
        errors: verdicts.get(id)?.problems ?? [],
        dependent_outputs,
        class_type: draft[id]?.class_type ?? '',
      },
    ]),
  );
}

/** The node and all before it that are there, those it needs first. */
function ancestry(draft: Draft, root: string): string[] {
  return dependenciesFirst(root, (id) => linksOf(draft[id]).filter((from) => Object.hasOwn(draft, from)));
}

function linksOf(node: DraftNode | undefined): string[] {
  return Object.values(node?.inputs ?? {}).flatMap((value) => (isLink(value) ? [value[0]] : []));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import { linksOf } from '../graph.ts';
import { cut } from './problems.ts';
import type { Draft } from './prompt-draft.ts';

export interface NodeValidation {
  readonly problems: readonly PromptProblem[];
  /** Neither the node nor anything that it depends on has a problem. */
  readonly isValid: boolean;
}

const MAX_PROBLEMS = 1000;
/** Outputs that are named for each node. */
const MAX_DEPENDENTS = 100;
const MAX_LINES = 100;

/** The nodes with problems of their own, each with the outputs that need it. `validations` are in the order of the walk. */
export function collectErrors(
  draft: Draft,
  outputs: readonly string[],
  validations: ReadonlyMap<string, NodeValidation>,
): Record<string, NodeProblems> {
  const dependents = dependentOutputs(draft, outputs, validations);
  const errors: (readonly [id: string, NodeProblems])[] = [];
  let room = MAX_PROBLEMS;
  for (const [id, { problems }] of validations) {
    if (problems.length === 0) continue;
    if (room <= 0) break;
    const listed = problems.slice(0, room);
    room -= listed.length;
    const class_type = draft.get(id)?.class_type ?? '';
    errors.push([id, { errors: listed, dependent_outputs: dependents.get(id) ?? [], class_type }]);
  }
  return Object.fromEntries(errors);
}

/** The problems of the outputs themselves, one line each. */
export function outputLines(
  outputs: readonly string[],
  validations: ReadonlyMap<string, NodeValidation>,
): string {
  const lines = outputs
    .flatMap((id) => validations.get(id)?.problems ?? [])
    .map(({ message, details }) => `${message}: ${details}`);
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`… (${more} more)`] : [])].join('\n');
}

/** The first outputs that need each node. A node is passed at most MAX_DEPENDENTS times, so the walk stays linear. */
function dependentOutputs(
  draft: Draft,
  outputs: readonly string[],
  validations: ReadonlyMap<string, NodeValidation>,
): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  const before = new Map<string, readonly string[]>();
  for (const [id, { isValid }] of validations) {
    const node = draft.get(id);
    if (isValid || !node) continue;
    dependents.set(id, []);
    before.set(id, [...new Set(linksOf(node).map(({ from }) => from))]);
  }
  for (const output of outputs) {
    const name = cut(output);
    const waiting = [output];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const named = dependents.get(id);
      if (!named || named.length >= MAX_DEPENDENTS || named.at(-1) === name) continue;
      named.push(name);
      for (const from of before.get(id) ?? []) waiting.push(from);
    }
  }
  return dependents;
}

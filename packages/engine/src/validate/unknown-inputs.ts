import type { PromptProblem } from '@atelier/contracts';
import type { NodeCatalogue } from '../catalogue.ts';
import { closestName, didYouMean } from '../closest-name.ts';
import { fixedInputs, flatInputs } from '../declare/flat-inputs.ts';
import type { NodeDescription } from '../declare/node-description.ts';
import type { Graph } from '../graph.ts';
import { cut, problem } from './problems.ts';

const MAX_WARNINGS = 20;

/** Warnings about given inputs that their nodes do not have. ComfyUI accepts them, so they are not errors. */
export function unknownInputs(graph: Graph, catalogue: NodeCatalogue): readonly PromptProblem[] {
  const warnings: PromptProblem[] = [];
  for (const [id, { class_type: type, inputs }] of Object.entries(graph)) {
    const declared = catalogue.get(type);
    if (!declared) continue;
    for (const [name, known] of unknownNames(declared, inputs, MAX_WARNINGS - warnings.length)) {
      const meant = closestName(name, known);
      warnings.push(
        problem(
          'unknown_input',
          'The node has no such input, so it is ignored',
          `Node ${cut(id)} (${type}) has no input ${cut(name)}.${didYouMean(meant)}`,
          { node_id: cut(id), class_type: type, input_name: cut(name), did_you_mean: meant ?? null },
        ),
      );
    }
    if (warnings.length >= MAX_WARNINGS) break;
  }
  return warnings;
}

/** The first unknown inputs, each with the names that the node has. */
export function unknownNames(
  type: NodeDescription,
  inputs: Readonly<Record<string, unknown>>,
  limit: number,
): readonly (readonly [name: string, known: readonly string[]])[] {
  if (type.acceptsAll) return [];
  const known = fixedInputs(type) ?? new Map(flatInputs(type, inputs).map((one) => [one.name, one]));
  const unknown: (readonly [name: string, known: readonly string[]])[] = [];
  for (const name of Object.keys(inputs)) {
    if (unknown.length >= limit) break;
    if (!known.has(name)) unknown.push([name, [...known.keys()]]);
  }
  return unknown;
}

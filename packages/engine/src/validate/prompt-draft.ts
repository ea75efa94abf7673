import type { PromptProblem } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import type { NodeCatalogue } from '../catalogue.ts';
import { closestName, didYouMean } from '../closest-name.ts';
import { orderedIds } from '../parse-prompt.ts';
import { cut, problem } from './problems.ts';

/** A node of the graph while it is validated: converted values are written back. */
export interface DraftNode {
  readonly class_type: string;
  readonly inputs: Record<string, unknown>;
}

/** A map, because a node id may be `__proto__`. */
export type Draft = ReadonlyMap<string, DraftNode>;

/** A copy of the graph to work on, or the problem of the first node whose type does not exist. */
export function toDraft(
  prompt: Readonly<Record<string, unknown>>,
  catalogue: NodeCatalogue,
  order?: readonly string[],
): { readonly draft: Draft } | { readonly problem: PromptProblem } {
  const draft = new Map<string, DraftNode>();
  for (const id of orderedIds(prompt, order)) {
    const node = prompt[id];
    const record = isObject(node) ? node : {};
    const { class_type: classType, inputs } = record;
    if (typeof classType !== 'string' || !catalogue.get(classType)) {
      return { problem: missingType(id, record, catalogue) };
    }
    draft.set(id, { ...record, class_type: classType, inputs: isObject(inputs) ? { ...inputs } : {} });
  }
  return { draft };
}

function missingType(
  id: string,
  { class_type, _meta }: Readonly<Record<string, unknown>>,
  catalogue: NodeCatalogue,
): PromptProblem {
  const given = isObject(_meta) ? _meta['title'] : undefined;
  const title = typeof given === 'string' && given !== '' ? cut(given) : null;
  const type = typeof class_type === 'string' ? cut(class_type) : null;
  const message =
    type === null
      ? `Node '${title ?? `ID #${cut(id)}`}' has no class_type, so it cannot be run.`
      : `Node '${title ?? type}' not found. The custom node may not be installed.`;
  const names = catalogue.all().map((one) => one.type);
  const meant = type === null ? undefined : closestName(type, names);
  const advice = meant === undefined ? '' : `.${didYouMean(meant)}`;
  return problem('missing_node_type', message, `Node ID '#${cut(id)}'${advice}`, {
    node_id: cut(id),
    class_type: type,
    node_title: title ?? type,
    ...(meant !== undefined && { did_you_mean: meant }),
  });
}

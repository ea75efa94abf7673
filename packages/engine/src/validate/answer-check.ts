import type { NodeCatalogue } from '../catalogue.ts';
import { nestInputs } from '../declare/flat-inputs.ts';
import type { CheckResult, NodeType } from '../declare/node-type.ts';
import type { JobFiles } from '../files.ts';
import { cut, MAX_DETAILS } from './problems.ts';

/** What a custom check is asked, as JSON. */
export interface CheckQuestion {
  readonly type: string;
  /** Constants by the names that graphs use. */
  readonly values: Readonly<Record<string, unknown>>;
  /** See `CheckContext`. */
  readonly types: Readonly<Record<string, string>>;
}

/** Runs the code of a custom check. */
export async function answerCheck(
  catalogue: NodeCatalogue<NodeType>,
  { type, values, types }: CheckQuestion,
  files: JobFiles,
): Promise<CheckResult> {
  const node = catalogue.get(type);
  if (!node?.check) throw new Error(`${type} has no check of its own.`);
  const result = (await node.check(nestInputs(node, values), { files, types })) ?? true;
  // A pack may return anything.
  return typeof result === 'string' ? cut(result, MAX_DETAILS) : Boolean(result);
}

import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import { toJson } from '@atelier/engine';

/** A submission that cannot run: 400 in the format of ComfyUI. */
export class RefusedPrompt extends Error {
  /** JSON. */
  readonly body: string;

  constructor(body: string) {
    super('The workflow cannot run.');
    this.body = body;
  }
}

export function refusedPrompt(type: string, message: string, details = message): RefusedPrompt {
  return refused({ type, message, details, extra_info: {} });
}

export function refused(
  error: PromptProblem,
  node_errors: Readonly<Record<string, NodeProblems>> = {},
): RefusedPrompt {
  return new RefusedPrompt(toJson({ error, node_errors }));
}

import type { NodeProblems, PromptProblem } from '@atelier/contracts';
import { parseJson, toJson } from '@atelier/engine';

import type { RefusedPrompt } from '../submit/refused-prompt.ts';

/** The error for a refused workflow, with the node errors of ComfyUI. */
export function refusedWorkflow({ body }: RefusedPrompt): string {
  const { error, node_errors } = parseJson(body) as {
    readonly error: PromptProblem;
    readonly node_errors: Readonly<Record<string, NodeProblems>>;
  };
  const { type, message, details, extra_info } = error;
  const sentence = message.replace(/\.$/, '');
  return toJson({
    error: {
      code: 'invalid_workflow',
      message: details === message || details === '' ? `${sentence}.` : `${sentence}: ${details}`,
      details: { type, node_errors, extra_info },
    },
  });
}

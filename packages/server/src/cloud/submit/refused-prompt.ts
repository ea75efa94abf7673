import type { NodeProblems, PromptProblem } from '@atelier/contracts';

/** A submission that cannot run: 400 in the shape of the host application. */
export class RefusedPrompt extends Error {
  readonly problem: PromptProblem;
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;

  constructor(problem: PromptProblem, nodeErrors: Readonly<Record<string, NodeProblems>> = {}) {
    super(problem.message);
    this.problem = problem;
    this.nodeErrors = nodeErrors;
  }
}

export function refusedPrompt(type: string, message: string, details = message): RefusedPrompt {
  return new RefusedPrompt({ type, message, details, extra_info: {} });
}

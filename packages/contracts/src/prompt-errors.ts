/** One thing that is wrong with a submitted graph or one of its nodes. */
export interface PromptProblem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** What is wrong with one node, and which outputs cannot run because of it. */
export interface NodeProblems {
  readonly errors: readonly PromptProblem[];
  readonly dependent_outputs: readonly string[];
  readonly class_type: string;
}

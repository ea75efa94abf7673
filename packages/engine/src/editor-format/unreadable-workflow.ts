/** What keeps a workflow of the editor from being converted, and what to do about it. */
export interface WorkflowProblem {
  /** A whole sentence, which names the node. */
  readonly message: string;
  readonly node?: { readonly id: string; readonly type: string; readonly title: string };
}

/** A workflow of the editor that cannot be converted, with everything that is wrong with it. */
export class UnreadableWorkflow extends Error {
  readonly problems: readonly WorkflowProblem[];
  constructor(problems: readonly WorkflowProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.name = 'UnreadableWorkflow';
    this.problems = problems;
  }
}

interface Named {
  /** With the ids of the subgraph nodes around it. */
  readonly id: string;
  readonly type: string;
  readonly title: string | undefined;
}

export type Problems = ReturnType<typeof createProblems>;

const MAX_PROBLEMS = 50;
const MAX_CHARS = 100;

export function createProblems() {
  const found = new Map<string, WorkflowProblem>();
  const keep = (problem: WorkflowProblem): void => {
    if (found.size < MAX_PROBLEMS) found.set(problem.message, problem);
  };
  return {
    add: (message: string) => keep({ message }),
    /** `message` goes on after the node's name: `is linked in a circle.` */
    addOf(node: Named, message: string): void {
      const id = shorten(node.id);
      const type = shorten(node.type);
      const title = shorten(node.title ?? node.type);
      const called = title === type ? type : `${type}, “${title}”`;
      keep({ message: `Node ${id} (${called}) ${message}`, node: { id, type, title } });
    },
    check(): void {
      if (found.size > 0) throw new UnreadableWorkflow([...found.values()]);
    },
  };
}

export function shorten(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/** What ComfyUI answers to a workflow that it does not run, or not all of. */
export interface Refusal {
  readonly error?: Problem;
  readonly node_errors: Readonly<Record<string, { readonly errors: readonly Problem[] }>>;
}

interface Problem {
  readonly type: string;
  readonly details: string;
}

/** Both answers without what may differ: ComfyUI has the problems of a node in any order, and Atelier may say more in `details`. */
export function comparableRefusals(direct: Refusal, through: Refusal): [unknown, unknown] {
  const [one, other] = [flatten(direct), flatten(through)];
  return [
    one,
    other.map((problem, index) => {
      const expected = one[index]?.details ?? '';
      return problem.details.startsWith(expected) ? { ...problem, details: expected } : problem;
    }),
  ];
}

function flatten({ error, node_errors: nodes }: Refusal): Problem[] {
  const problems = Object.entries(nodes).flatMap(([id, { errors, ...node }]) =>
    errors.map((problem) => ({ id, node, ...problem })),
  );
  return [...(error ? [error] : []), ...problems.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))];
}

function key({ id, type, details }: Problem & { readonly id: string }): string {
  return `${id} ${type} ${details}`;
}

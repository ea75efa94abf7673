import { UnreadableWorkflow } from './unreadable-workflow.ts';

/** Characters of the result, and steps of the way there: a small file may describe an endless one. */
const LIMIT = 16 * 1024 * 1024;

export type Budget = ReturnType<typeof createBudget>;

export function createBudget() {
  let left = LIMIT;
  const sizes = new WeakMap<object, number>();
  /** Throws an `UnreadableWorkflow` when there is nothing left. */
  const spend = (units: number): void => {
    left -= units;
    if (left >= 0) return;
    const message =
      'The workflow is too large once its subgraphs and shared values are laid out: 16 MiB at most. Use its subgraphs less often, or split it.';
    throw new UnreadableWorkflow([{ message }]);
  };
  return {
    spend,
    /** As many as the value has characters as JSON, about. */
    spendValue(value: unknown): void {
      if (typeof value !== 'object' || value === null) return spend(sizeOfScalar(value));
      const size = sizes.get(value) ?? sizeOf(value);
      sizes.set(value, size);
      spend(size);
    },
  };
}

/** Without recursion: values may be nested as deep as JSON may be. */
function sizeOf(value: object): number {
  let size = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        size += key.length + 1;
        waiting.push(member);
      }
    }
    size += sizeOfScalar(next);
  }
  return size;
}

function sizeOfScalar(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  return typeof value === 'bigint' ? value.toString().length : 8;
}

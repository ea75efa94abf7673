import { hash } from 'node:crypto';
import type { NodeContext } from '@atelier/engine';

const calls = new WeakMap<NodeContext, number>();

/**
 * The index of this call among those for the items of a list. The calls begin in the order of the list, so this must be
 * called before the first await.
 */
export function callNumber(context: NodeContext): number {
  const number = calls.get(context) ?? 0;
  calls.set(context, number + 1);
  return number;
}

/**
 * The idempotency key of a task. A job that starts again after its server was lost finds the task that it has bought. `work`
 * is the request, so that other work never finds the task.
 */
export function taskKey(
  { jobId, nodeId }: Pick<NodeContext, 'jobId' | 'nodeId'>,
  place: { readonly call: number; readonly item: number },
  work: Readonly<Record<string, unknown>>,
): string {
  return hash('sha256', JSON.stringify([jobId, nodeId, place.call, place.item, work]), 'hex');
}

import { hash } from 'node:crypto';
import type { NodeContext } from '@atelier/engine';

const calls = new WeakMap<NodeContext, number>();

/**
 * Which call this is of those that a node gets for the items of a list, from 0. They begin in the order of the list,
 * so it must be asked before anything is waited for.
 */
export function callNumber(context: NodeContext): number {
  const number = calls.get(context) ?? 0;
  calls.set(context, number + 1);
  return number;
}

/**
 * The idempotency key of one task: a job that begins anew after its server was lost finds the task that it has bought.
 * `work` is what is asked for, so that other work never finds it.
 */
export function taskKey(
  { jobId, nodeId }: Pick<NodeContext, 'jobId' | 'nodeId'>,
  place: { readonly call: number; readonly item: number },
  work: Readonly<Record<string, unknown>>,
): string {
  return hash('sha256', JSON.stringify([jobId, nodeId, place.call, place.item, work]), 'hex');
}

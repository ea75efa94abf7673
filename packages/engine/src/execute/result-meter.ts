import { detachText, MAX_JOB_TEXT_LENGTH, MAX_TEXT_LENGTH, textTooLong } from '../bounded-text.ts';
import type { NodeType } from '../declare/node-type.ts';
import { LimitError } from '../node-error.ts';

/** A few nodes that each double a list would keep a runner busy for hours. */
const MAX_LIST_ITEMS = 100_000;

/**
 * Measures the results of a node after each call, so that a node that returns too much is stopped in time. Returns the values
 * with copies of their texts, which keep nothing else in memory.
 */
export function createResultMeter(type: NodeType, textRoom: number) {
  const counts = type.outputs.map(() => 0);
  let room = textRoom;

  function take(item: unknown): unknown {
    if (typeof item !== 'string') return item;
    if (item.length > MAX_TEXT_LENGTH) throw textTooLong();
    room -= item.length;
    if (room < 0) throw jobTextTooLong();
    return detachText(item);
  }

  return (outputs: readonly unknown[]): readonly unknown[] =>
    outputs.map((value, slot) => {
      const isList = type.outputs[slot]?.isList && Array.isArray(value);
      const count = (counts[slot] ?? 0) + (isList ? value.length : 1);
      checkItems(count);
      counts[slot] = count;
      return isList ? value.map(take) : take(value);
    });
}

export function checkItems(count: number): void {
  if (count > MAX_LIST_ITEMS) {
    throw new LimitError(`The list would have more than ${MAX_LIST_ITEMS} items.`);
  }
}

export function jobTextTooLong(): LimitError {
  return new LimitError(
    `The texts of the job would be longer than ${MAX_JOB_TEXT_LENGTH} characters together.`,
  );
}

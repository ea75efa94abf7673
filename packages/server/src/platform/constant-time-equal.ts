import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal. The time it takes does not tell where they differ. */
export function constantTimeEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function median(values: readonly number[]): number {
  return percentile(values.toSorted(ascending), 50);
}

/** Of values in ascending order; between two of them it interpolates. */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  if (sorted.length === 0) throw new Error('nothing was measured');
  const position = ((sorted.length - 1) * percent) / 100;
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return below + (above - below) * (position - Math.floor(position));
}

function ascending(left: number, right: number): number {
  return left - right;
}

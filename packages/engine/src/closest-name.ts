/** Longer names are not compared, because the work is quadratic. */
const MAX_LENGTH = 64;

/** The known name that was most likely meant, if one is close enough. Case and punctuation do not count. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted === '' || wanted.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.floor((wanted.length + 1) / 3) + 1;
  for (const candidate of known) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, other);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The end of a sentence, or nothing. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean ${name}?`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Counts letters that are inserted, deleted, replaced, or swapped with their neighbor. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

const MAX_LENGTH = 64;
const MAX_SUGGESTIONS = 5;

/** The known names most similar to this one, the closest first. Ignores case and punctuation. */
export function similarNames(name: string, known: Iterable<string>): string[] {
  const wanted = plain(name);
  const farthest = Math.max(2, Math.ceil(wanted.length / 2));
  return [...new Set(known)]
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, plain(candidate)) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

function plain(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Edit distance; a name that starts with the other counts as close. */
function distanceOf(a: string, b: string): number {
  if (a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a))) return 1;
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current[column] = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced);
    }
    last = current;
  }
  return last[b.length] ?? 0;
}

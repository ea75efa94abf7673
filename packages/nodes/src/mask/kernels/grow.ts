export interface GrowOptions {
  readonly width: number;
  readonly height: number;
  /** Takes the least neighbor instead of the greatest. */
  readonly shrink: boolean;
  /** Only the four direct neighbors, not the corners. */
  readonly plus: boolean;
}

/**
 * Writes the greatest (or least) value of each pixel and its neighbors. Returns whether any pixel changed. Edges need no
 * mirroring, because their pixels are neighbors anyway.
 */
export function growOnce(
  source: Float32Array,
  target: Float32Array,
  { width, height, shrink, plus }: GrowOptions,
): boolean {
  const sign = shrink ? -1 : 1;
  let changed = false;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const above = y > 0 ? row - width : row;
    const below = y < height - 1 ? row + width : row;
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : x;
      const right = x < width - 1 ? x + 1 : x;
      const own = (source[row + x] ?? 0) * sign;
      let best = own;
      best = larger(best, (source[row + left] ?? 0) * sign);
      best = larger(best, (source[row + right] ?? 0) * sign);
      best = larger(best, (source[above + x] ?? 0) * sign);
      best = larger(best, (source[below + x] ?? 0) * sign);
      if (!plus) {
        best = larger(best, (source[above + left] ?? 0) * sign);
        best = larger(best, (source[above + right] ?? 0) * sign);
        best = larger(best, (source[below + left] ?? 0) * sign);
        best = larger(best, (source[below + right] ?? 0) * sign);
      }
      if (best !== own) changed = true;
      target[row + x] = best * sign;
    }
  }
  return changed;
}

function larger(a: number, b: number): number {
  return b > a ? b : a;
}

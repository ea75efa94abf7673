import type { SmallPlanes } from './small-planes.ts';

/** What is added to the skin, at the reduced size: brightness and the two differences of color. */
export interface Corrections {
  readonly luma: Float32Array;
  readonly cb: Float32Array;
  readonly cr: Float32Array;
}

export function noCorrections({ luma }: SmallPlanes): Corrections {
  const { length } = luma;
  return { luma: new Float32Array(length), cb: new Float32Array(length), cr: new Float32Array(length) };
}

/** Adds to `target` a share of the way from one plane to another, as far as the weights let it. */
export function addTowards(
  target: Float32Array,
  from: Float32Array,
  to: Float32Array,
  share: number,
  weights?: Float32Array,
): void {
  for (let at = 0; at < target.length; at++) {
    const way = share * ((to[at] ?? 0) - (from[at] ?? 0));
    target[at] = (target[at] ?? 0) + (weights === undefined ? way : way * (weights[at] ?? 0));
  }
}

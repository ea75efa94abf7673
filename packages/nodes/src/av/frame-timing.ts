/** When a frame is shown and for how long, counted from the first frame. */
export interface FrameTime {
  readonly stamp: number;
  readonly duration: number;
}

/**
 * Gives frames times that a file can hold: from 0 on, always forward, and not beyond the end of the part. Sources with
 * irregular times keep them; broken ones that stand still or go back go on by one usual step.
 */
export function createFrameTiming({
  step,
  end,
}: {
  readonly step: number;
  readonly end: number | undefined;
}): (stamp: number | undefined, duration: number) => FrameTime {
  let first: number | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (given, length) => {
    if (given !== undefined) first ??= given;
    const wanted = given === undefined || first === undefined ? undefined : given - first;
    const stamp = wanted !== undefined && wanted > last ? wanted : Math.max(0, last + step);
    last = stamp;
    const usual = length > 0 ? length : step;
    const left = end === undefined || first === undefined ? usual : end - first - stamp;
    return { stamp, duration: Math.max(1, Math.min(usual, left)) };
  };
}

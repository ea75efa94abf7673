/** The time and duration of a frame, from the first frame on. */
export interface FrameTime {
  readonly stamp: number;
  readonly duration: number;
}

/**
 * Gives frames times that a file can hold: from 0 on, increasing, and not beyond the end. Irregular times are kept. Times
 * that repeat or go back are replaced by one usual step.
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

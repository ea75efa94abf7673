/** A few milliseconds of work for most kernels. */
const RUN = 1 << 17;

/** Works through pixels in runs, with a checkpoint after each. */
export function inRuns(
  pixels: number,
  checkpoint: () => void,
  work: (from: number, to: number) => void,
): void {
  for (let from = 0; from < pixels; from += RUN) {
    work(from, Math.min(pixels, from + RUN));
    checkpoint();
  }
}

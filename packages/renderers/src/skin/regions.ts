import type { Size } from '../pixels/planes.ts';

/** The number of pixels of the largest connected part of a mask above one half. */
export function largestRegion(mask: Float32Array, size: Size): number {
  const open = Uint8Array.from(mask, (value) => (value > 0.5 ? 1 : 0));
  const waiting = new Int32Array(mask.length);
  let largest = 0;
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 1) largest = Math.max(largest, flood(open, waiting, size, start));
  }
  return largest;
}

/** 0 for pixels that can be reached from the rim of the picture without crossing the mask, otherwise 1. */
export function enclosedBy(mask: Float32Array, size: Size): Float32Array {
  const { width, height } = size;
  const open = Uint8Array.from(mask, (value) => (value > 0.5 ? 0 : 1));
  const waiting = new Int32Array(mask.length);
  for (let x = 0; x < width; x++) {
    flood(open, waiting, size, x);
    flood(open, waiting, size, (height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    flood(open, waiting, size, y * width);
    flood(open, waiting, size, y * width + width - 1);
  }
  return mask.map((value, at) => (open[at] === 1 || value > 0.5 ? 1 : 0));
}

/** Closes all open pixels that are connected with this one and returns their number. */
function flood(open: Uint8Array, waiting: Int32Array, { width, height }: Size, start: number): number {
  if (open[start] !== 1) return 0;
  let count = 0;
  let last = 1;
  waiting[0] = start;
  open[start] = 0;
  const visit = (at: number): void => {
    if (open[at] !== 1) return;
    open[at] = 0;
    waiting[last++] = at;
  };
  while (last > 0) {
    const at = waiting[--last] ?? 0;
    const x = at % width;
    count++;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < (height - 1) * width) visit(at + width);
  }
  return count;
}

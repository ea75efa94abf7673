import { loadKernels } from './kernel-memory.ts';

/** The functions of plane-kernels.c; addresses are bytes from the start of the kernels' memory. */
export interface PlaneKernels {
  boxAcross(
    source: number,
    target: number,
    shares: number,
    width: number,
    height: number,
    reach: number,
  ): void;
  boxDown(
    source: number,
    target: number,
    sums: number,
    shares: number,
    width: number,
    height: number,
    reach: number,
  ): void;
  multiply(target: number, by: number, length: number): void;
  divide(sums: number, weights: number, values: number, length: number): void;
  addScaled(target: number, source: number, weight: number, length: number): void;
  addBytes(sums: number, bytes: number, length: number): void;
  splitRow(rgb: number, red: number, green: number, blue: number, width: number): void;
  lumaRow(red: number, green: number, blue: number, luma: number, width: number): void;
  triangleAcross(padded: number, once: number, row: number, width: number, window: number): void;
  triangleDown(
    row: number,
    slot: number,
    sum: number,
    sumSlot: number,
    total: number,
    out: number,
    width: number,
    scale: number,
  ): void;
  addDifference(sums: number, one: number, other: number, width: number): void;
  widen(
    above: number,
    below: number,
    share: number,
    wide: number,
    count: number,
    width: number,
    factor: number,
    start: number,
    first: number,
  ): void;
  repeatRows(
    one: number,
    oneLength: number,
    other: number,
    otherLength: number,
    scale: number,
    out: number,
    width: number,
  ): void;
}

let loaded: PlaneKernels | undefined;

export function planeKernels(): PlaneKernels {
  loaded ??= loadKernels(new URL('./plane-kernels.wasm', import.meta.url)) as unknown as PlaneKernels;
  return loaded;
}

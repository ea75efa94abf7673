import { readFileSync } from 'node:fs';

/** The functions of frame-kernels.c; addresses are bytes from the start of the memory. */
export interface FrameKernels {
  drawSpans(
    row: number,
    width: number,
    upper: number,
    lower: number,
    upperAlpha: number,
    lowerAlpha: number,
    upperShare: number,
    lowerShare: number,
    spans: number,
    count: number,
    seenFrom: number,
    seenTo: number,
    shift: number,
    step: number,
    colors: number,
    covers: number,
  ): void;
  copyRow(
    row: number,
    width: number,
    upper: number,
    lower: number,
    upperShare: number,
    lowerShare: number,
    last: number,
    seenFrom: number,
    seenTo: number,
    shift: number,
    step: number,
    colors: number,
  ): void;
  glowRow(
    above: number,
    below: number,
    share: number,
    row: number,
    columns: number,
    width: number,
    every: number,
  ): void;
  toneRow(
    row: number,
    glow: number,
    loss: number,
    level: number,
    tones: number,
    grain: number,
    out: number,
    width: number,
  ): void;
  colorRow(row: number, glow: number, loss: number, level: number, out: number, width: number): void;
  outlineRow(row: number, stride: number, reach: number, from: number, to: number): void;
  waveRow(
    swell: number,
    ripples: number,
    slow: number,
    slowStep: number,
    quick: number,
    quickStep: number,
    slowReach: number,
    quickReach: number,
    shade: number,
    foam: number,
    breaks: number,
    sparkle: number,
    sunAt: number,
    path: number,
    swellRow: number,
    ripplesRow: number,
    lift: number,
    shine: number,
    width: number,
  ): void;
  reflectRow(
    plane: number,
    width: number,
    row: number,
    shore: number,
    coarse: number,
    lift: number,
    shine: number,
    own: number,
    part: number,
    sparkle: number,
  ): void;
}

let compiled: WebAssembly.Module | undefined;

/** The kernels, working in this memory. */
export function loadFrameKernels(memory: WebAssembly.Memory): FrameKernels {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('frame-kernels.wasm', import.meta.url)));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as FrameKernels;
}

import { loadKernels } from '../pixels/kernel-memory.ts';

/** The functions of skin-kernels.c; addresses are bytes from the start of the kernels' memory. */
export interface SkinKernels {
  finishRow(row: number): void;
  joinRow(red: number, green: number, blue: number, rgb: number, width: number): void;
}

let loaded: SkinKernels | undefined;

export function skinKernels(): SkinKernels {
  loaded ??= loadKernels(new URL('./skin-kernels.wasm', import.meta.url)) as unknown as SkinKernels;
  return loaded;
}

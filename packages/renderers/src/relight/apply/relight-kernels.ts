import { loadKernels, makeRoom } from '../../pixels/kernel-memory.ts';
import { LAYERS } from './layers.ts';

/** The function of relight-kernels.c; `pass` is the address of what it works with. */
interface RelightKernels {
  relightRows(pass: number, first: number, count: number): void;
}

/** What the kernel reads, in the order in which it has it. */
export interface KernelTables {
  readonly layers: Float32Array;
  readonly linear: Float32Array;
  readonly curve: Float32Array;
  readonly compression: Float32Array;
  readonly areaLight: Float32Array;
  readonly noise: Float32Array;
}

export interface KernelNumbers {
  readonly width: number;
  readonly columns: number;
  readonly rows: number;
  readonly factor: number;
  readonly keepsDetails: boolean;
  readonly saturation: number;
  readonly detail: number;
  readonly share: number;
  readonly shadows: readonly [number, number, number];
  readonly highlights: readonly [number, number, number];
}

/** Good until another kernel is used in this thread. */
export interface RelightPass {
  /** Rows of a picture, changed in place; `first` is the number of the first of them. */
  run(rows: Uint8Array, first: number): void;
}

/** Rows that are handed over together. */
const ROWS_AT_ONCE = 16;
const PASS_BYTES = 128;

let loaded: RelightKernels | undefined;

export function openRelightPass(tables: KernelTables, numbers: KernelNumbers): RelightPass {
  loaded ??= loadKernels(new URL('./relight-kernels.wasm', import.meta.url)) as unknown as RelightKernels;
  const kernels = loaded;
  const { width, columns, rows, factor, keepsDetails, saturation, detail, share } = numbers;
  const rowBytes = width * 3;
  const room = makeRoom();
  const pass = room.take(PASS_BYTES);
  const source = room.take(rowBytes * ROWS_AT_ONCE);
  const target = room.take(rowBytes * ROWS_AT_ONCE);
  const mixed = room.take(columns * LAYERS * 4);
  const { layers, linear, curve, compression, areaLight, noise } = tables;
  const places = [layers, linear, curve, compression, areaLight, noise].map((table) => ({
    table,
    at: room.take(table.byteLength),
  }));
  const { bytes, longs, floats } = room.open();
  for (const { table, at } of places) floats.set(table, at / 4);
  const [atLayers = 0, ...others] = places.map((place) => place.at);
  const words = [
    source,
    target,
    atLayers,
    mixed,
    ...others,
    width,
    columns,
    rows,
    factor,
    keepsDetails ? 1 : 0,
  ];
  longs.set(words, pass / 4);
  floats.set([saturation, detail, share, ...numbers.shadows, ...numbers.highlights], pass / 4 + words.length);
  return {
    run(picture, first) {
      for (let row = 0; row * rowBytes < picture.length; row += ROWS_AT_ONCE) {
        const those = picture.subarray(row * rowBytes, (row + ROWS_AT_ONCE) * rowBytes);
        bytes.set(those, source);
        kernels.relightRows(pass, first + row, those.length / rowBytes);
        those.set(bytes.subarray(target, target + those.length));
      }
    },
  };
}

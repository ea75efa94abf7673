import type { Engine } from '@atelier/testing';

export interface Sample {
  readonly count: number;
  /** Completed a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Computing time of the measured process for each; NaN where it is not known. */
  readonly cpuMs: number;
}

/** One side of a comparison: works for so many seconds. */
export type Load = (seconds: number) => Promise<Sample>;

/** A server in a process of its own. */
export interface Target {
  readonly url: string;
  readonly pid: number | undefined;
}

export interface Bench {
  readonly engine: Engine;
  readonly seconds: number;
  /** Holds what must not outlive the run, also when a signal ends it. */
  readonly cleanUp: AsyncDisposableStack;
  /** The address of a ComfyUI. */
  readonly comfyui?: string;
}

export type MakeLoad = (bench: Bench) => Promise<Load>;

/** Compares two rates. */
export interface RatioRow {
  readonly name: string;
  /** The lowest acceptable ratio of ours to bare on SQLite. PostgreSQL is a third program on the same cores and has no bar. */
  readonly bar: number;
  readonly ours: MakeLoad;
  readonly bare: MakeLoad;
}

type Unit = 'ms' | 'MB' | 'kB' | '/s' | '%' | 'statements';

/** Measures one number that has a meaning of its own. The bar is the highest acceptable one; for a rate the lowest. */
export function valueRow(name: string, unit: Unit, bar: number, measure: (bench: Bench) => Promise<number>) {
  return { name, unit, bar, measure };
}

export type ValueRow = ReturnType<typeof valueRow>;
export type Row = (RatioRow | ValueRow) & {
  readonly needsComfyui?: boolean;
  readonly needsPostgres?: boolean;
};

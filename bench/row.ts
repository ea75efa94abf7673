import type { Engine, RunningServer } from '@atelier/testing';

/** What one measurement gives. */
export interface Sample {
  readonly count: number;
  /** Completed a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Computing time of the measured process for each; absent where the system does not tell. */
  readonly cpuMs?: number;
}

/** One side of a comparison: works for so many seconds, in a process of its own. */
export type Load = (seconds: number) => Promise<Sample>;

/** A server in a process of its own. */
export interface Target {
  readonly url: string;
  readonly pid: number | undefined;
}

/** What every row may use. It is shared: a row that needs an untouched server starts its own. */
export interface Bench {
  readonly engine: Engine;
  readonly seconds: number;
  readonly ours: RunningServer & Target;
  /** The bare Fastify server: `/bare` answers `{"ok":true}`, `/store` keeps pictures in its folder. */
  readonly bare: Target & { readonly folder: string };
  /** Holds what must not outlive the run, also when a signal ends it. */
  readonly cleanUp: AsyncDisposableStack;
}

/** Compares two rates. */
export interface RatioRow {
  readonly name: string;
  /**
   * The least acceptable ratio of ours to bare on SQLite. PostgreSQL is a third program on the same cores, so its ratio
   * tells more about the machine than about us.
   */
  readonly bar: number;
  prepare(bench: Bench): Promise<{ readonly ours: Load; readonly bare: Load }>;
}

/** Measures one number that has a meaning of its own. */
export interface ValueRow {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'kB' | '/s';
  /** The most that is acceptable, on either engine; of a rate the least. */
  readonly bar: number;
  measure(bench: Bench): Promise<number>;
}

export type Row = RatioRow | ValueRow;

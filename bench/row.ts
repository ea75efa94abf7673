import type { Engine, RunningServer } from '@atelier/testing';

/** What one measurement gives. */
export interface Sample {
  readonly count: number;
  /** Completed a second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** What the measured process computed for each; absent where the system does not tell. */
  readonly cpuMs?: number;
}

/** One side of a comparison: works for so many seconds, in a process of its own. */
export type Load = (seconds: number) => Promise<Sample>;

export interface Sides {
  readonly ours: Load;
  readonly bare: Load;
}

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
  /** Absent on SQLite. */
  readonly databaseUrl: string | undefined;
  /** The bare Fastify server: `/bare` answers `{"ok":true}`, `/file/<name>` streams from `folder`, `/store` keeps pictures in it. */
  readonly bare: Target & { readonly folder: string };
  /** Holds what must not outlive the run, also when a signal ends it. */
  readonly cleanUp: AsyncDisposableStack;
}

/** Compares two rates. */
export interface RatioRow {
  readonly kind: 'ratio';
  readonly name: string;
  /**
   * The least ratio of ours to bare that is acceptable on SQLite. PostgreSQL is a third program on the same
   * cores, so there the ratio tells more about the machine than about us, and nothing is asked of it.
   */
  readonly bar?: number;
  prepare(bench: Bench): Promise<Sides>;
}

/** Measures one number that has a meaning of its own. */
export interface ValueRow {
  readonly kind: 'value';
  readonly name: string;
  /** Less is better, except of a rate. */
  readonly unit: 'ms' | 'MB' | 'kB' | '/s';
  /** The most that is acceptable, on either engine; of a rate the least. */
  readonly bar?: number;
  measure(bench: Bench): Promise<number>;
}

export type Row = RatioRow | ValueRow;

import { parseArgs } from 'node:util';
import { ENGINES, type Engine } from '@atelier/testing';

export interface Options {
  /** Rows whose name contains one of these; all rows when there is none. */
  readonly names: readonly string[];
  readonly engine: Engine;
  /** Of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** A missed bar makes the exit code 1. */
  readonly strict: boolean;
  readonly json: string | undefined;
}

export const USAGE =
  'npm run bench -- [name…] [--engine sqlite|postgres] [--seconds N] [--rounds N] [--strict] [--json FILE]';

/** A driver keeps how long each answer took. */
const MAX_SECONDS = 60;

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      strict: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const engine = ENGINES.find((known) => known === values.engine);
  if (!engine) throw new Error(`--engine is one of ${ENGINES.join(', ')}`);
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    throw new Error(`--seconds is a number above 0, at most ${MAX_SECONDS}`);
  }
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds is a whole number from 1');
  return { names: positionals, engine, seconds, rounds, strict: values.strict, json: values.json };
}

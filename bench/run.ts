import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ENGINES } from '@atelier/testing';

import { type Measured, measure } from './measure.ts';
import { renderTable } from './render-table.ts';
import type { Row } from './row.ts';
import { startBench } from './servers.ts';

const USAGE = 'npm run bench -- [name…] [--engine sqlite|postgres] [--seconds N] [--rounds N] [--strict]';
const ROWS = join(import.meta.dirname, 'rows');
const WRONG_CALL = 2;
/** A driver keeps how long each answer took. */
const MAX_SECONDS = 60;

const options = await readOptions().catch((error: unknown) => {
  console.error(`${messageOf(error)}\n${USAGE}`);
  process.exit(WRONG_CALL);
});
const { results, failures } = await run();
console.log(`\n${renderTable(results)}\n`);
for (const failure of failures) console.error(failure);
if (failures.length > 0 || (options.strict && results.some(({ isMet }) => !isMet))) process.exitCode = 1;

async function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      strict: { type: 'boolean', default: false },
    },
  });
  const engine = ENGINES.find((known) => known === values.engine);
  if (!engine) throw new Error(`--engine is one of ${ENGINES.join(', ')}`);
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) throw new Error(`--seconds is at most ${MAX_SECONDS}`);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds is a whole number from 1');
  return { engine, seconds, rounds, strict: values.strict, rows: await pickRows(positionals) };
}

/** Every file of `rows/` exports `rows`, in the order they are to be shown. */
async function pickRows(parts: readonly string[]): Promise<Row[]> {
  const files = (await readdir(ROWS)).toSorted();
  const modules = await Promise.all(
    files.map(async (file) => (await import(`./rows/${file}`)) as { readonly rows: readonly Row[] }),
  );
  const known = modules.flatMap(({ rows }) => rows);
  const rows = known.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  if (rows.length > 0) return rows;
  throw new Error(`there is no such row; there are ${known.map(({ name }) => name).join(', ')}`);
}

async function run() {
  await using cleanUp = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp.disposeAsync().finally(() => process.exit(1)));
  }
  const bench = await startBench(options, cleanUp);
  const measured: Measured[] = [];
  const failed: string[] = [];
  for (const row of options.rows) {
    process.stderr.write(`${row.name} … `);
    try {
      const result = await measure(row, bench, options.rounds);
      measured.push(result);
      process.stderr.write(`${progress(result)}\n`);
    } catch (error) {
      failed.push(`${row.name}: ${messageOf(error)}`);
      process.stderr.write('FAILED\n');
    }
  }
  return { results: measured, failures: failed };
}

function progress({ ours, unit, rounds }: Measured): string {
  const ratios = rounds?.map((ratio) => `${(ratio * 100).toFixed(0)} %`).join(', ');
  return ratios ?? `${Math.round(ours)} ${unit}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { readdir, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

import { type Measured, measure } from './measure.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import type { Row } from './row.ts';
import { startBench } from './start-bench.ts';
import { renderTable } from './table.ts';

const ROWS = join(import.meta.dirname, 'rows');
const WRONG_CALL = 2;

await main();

async function main(): Promise<void> {
  let options: Options;
  let rows: Row[];
  try {
    options = readOptions(process.argv.slice(2));
    rows = pick(await allRows(), options.names);
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    process.exitCode = WRONG_CALL;
    return;
  }
  const { results, failures } = await run(rows, options);
  console.log(`\n${renderTable(results)}\n`);
  for (const failure of failures) console.error(failure);
  if (options.json !== undefined) await writeFile(options.json, toJson(results, options));
  const isMissed = results.some(({ isMet }) => !isMet);
  if (failures.length > 0 || (options.strict && isMissed)) process.exitCode = 1;
}

/** Every file of `rows/` exports `rows`, in the order they are to be shown. */
async function allRows(): Promise<Row[]> {
  const files = (await readdir(ROWS)).filter((file) => file.endsWith('.ts')).toSorted();
  const modules = await Promise.all(
    files.map(async (file) => (await import(`./rows/${file}`)) as { readonly rows: readonly Row[] }),
  );
  return modules.flatMap(({ rows }) => rows);
}

function pick(known: readonly Row[], parts: readonly string[]): Row[] {
  const rows = known.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  if (rows.length > 0) return rows;
  throw new Error(`there is no such row; there are ${known.map(({ name }) => name).join(', ')}`);
}

async function run(rows: readonly Row[], options: Options) {
  await using cleanUp = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp.disposeAsync().finally(() => process.exit(1)));
  }
  const bench = await startBench(options, cleanUp);
  const results: Measured[] = [];
  const failures: string[] = [];
  for (const row of rows) {
    process.stderr.write(`${row.name} … `);
    try {
      const result = await measure(row, bench, options.rounds);
      results.push(result);
      process.stderr.write(`${progress(result)}\n`);
    } catch (error) {
      failures.push(`${row.name}: ${messageOf(error)}`);
      process.stderr.write('FAILED\n');
    }
  }
  return { results, failures };
}

function progress({ ours, unit, rounds }: Measured): string {
  const ratios = rounds?.map((ratio) => `${(ratio * 100).toFixed(0)} %`).join(', ');
  return ratios ?? `${Math.round(ours)} ${unit}`;
}

function toJson(results: readonly Measured[], { engine, seconds, rounds }: Options): string {
  const machine = {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
  const date = new Date().toISOString();
  return `${JSON.stringify({ date, machine, engine, seconds, rounds, results }, null, 2)}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ENGINES, type Engine } from '@atelier/testing';

import { type Measured, measure } from './measure.ts';
import { renderTable } from './render-table.ts';
import type { Row } from './row.ts';

const USAGE =
  'npm run bench -- [name…] [--engine sqlite|postgres] [--seconds N] [--rounds N] [--comfyui URL] [--strict]';
/** A driver keeps how long each answer took. */
const MAX_SECONDS = 60;

const options = await readOptions().catch((error: unknown) => {
  console.error(`${String(error)}\n${USAGE}`);
  process.exit(2);
});
const results = await run();
console.log(`\n${renderTable(results)}\n`);
if (options.strict && results.some(({ isMet }) => !isMet)) process.exitCode = 1;

async function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'sqlite' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      comfyui: { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
  });
  const engine = ENGINES.find((known) => known === values.engine);
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  if (!engine) throw new Error(`--engine is one of ${ENGINES.join(', ')}`);
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) throw new Error(`--seconds is at most ${MAX_SECONDS}`);
  if (!(rounds >= 1)) throw new Error('--rounds is at least 1');
  const { strict, comfyui } = values;
  if (comfyui !== undefined && !URL.canParse(comfyui)) throw new Error('--comfyui is an address');
  const rows = await pickRows(positionals, { hasComfyui: comfyui !== undefined, engine });
  return { engine, seconds, rounds, strict, rows, ...(comfyui !== undefined && { comfyui }) };
}

async function pickRows(
  parts: readonly string[],
  { hasComfyui, engine }: { readonly hasComfyui: boolean; readonly engine: Engine },
): Promise<Row[]> {
  const files = globSync('rows/*.ts', { cwd: import.meta.dirname }).toSorted();
  const modules = files.map(async (file) => (await import(`./${file}`)) as { readonly rows: readonly Row[] });
  const known = (await Promise.all(modules)).flatMap(({ rows }) => rows);
  const rows = known.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  const leave = (option: string, without: (row: Row) => boolean | undefined) => {
    const left = rows.filter(without).map(({ name }) => name);
    if (left.length > 0) console.error(`Without ${option}: not ${left.join(', ')}.`);
    return new Set(left);
  };
  const left = leave('--comfyui', ({ needsComfyui }) => needsComfyui && !hasComfyui).union(
    leave('--engine postgres', ({ needsPostgres }) => needsPostgres && engine !== 'postgres'),
  );
  if (rows.length > 0) return rows.filter(({ name }) => !left.has(name));
  throw new Error(`there is no such row; there are ${known.map(({ name }) => name).join(', ')}`);
}

async function run(): Promise<Measured[]> {
  await using cleanUp = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp.disposeAsync().finally(() => process.exit(1)));
  }
  const measured: Measured[] = [];
  for (const row of options.rows) {
    process.stderr.write(`${row.name} … `);
    try {
      const result = await measure(row, { ...options, cleanUp }, options.rounds);
      measured.push(result);
      const ratios = result.rounds?.map((ratio) => `${(ratio * 100).toFixed(0)} %`).join(', ');
      process.stderr.write(`${ratios ?? `${Math.round(result.ours)} ${result.unit}`}\n`);
    } catch (error) {
      process.stderr.write(`FAILED: ${String(error)}\n`);
      process.exitCode = 1;
    }
  }
  return measured;
}

/**
 * `npm test`: everything that must hold before a change lands. `npm run check` (--quick) is the daily loop:
 * the same without acceptance tests. `npm run test:long` (--long) runs the series of crashes and jobs at full length. Ends with
 * one line: N passed, N failed.
 */
import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { LONG_RUN_VARIABLE, startPostgres } from '@atelier/testing';

import { createTemplates } from './create-templates.ts';
import { ROOT, runCommand } from './run-command.ts';

const CHECKS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['layout', 'biome', 'check', '--error-on-warnings', '.'],
  ['dead code', 'knip', '--no-progress'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['API descriptions', 'redocly', 'lint', 'docs/openapi.json', 'docs/openapi-cloud.json'],
];
/** For one file. A test that hangs is found by it; a busy machine must not reach it. */
const FILE_MS = 1_200_000;
/** More than there are cores: a test file waits for processes, sockets and timers about half of its time. */
const CONCURRENCY = availableParallelism() + 2;
const SLOWEST = 20;

const isQuick = process.argv.includes('--quick');
const isLong = process.argv.includes('--long');
const counts = { passed: 0, failed: 0 };
const seconds = new Map<string, number>();
const failedChecks: string[] = [];

const postgres = await startPostgres();
try {
  await using templates = await createTemplates(postgres);
  await Promise.all([runChecks(), runTests(templates.environment)]);
} finally {
  await postgres.stop();
}
process.stdout.write(`${slowestFiles()}${failedChecks.join('')}`);
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed > 0 ? 1 : 0);

/** One after the other, beside the tests. */
async function runChecks(): Promise<void> {
  for (const [title, command, ...args] of CHECKS) {
    const { isGood, output } = await runCommand(command, args);
    counts[isGood ? 'passed' : 'failed'] += 1;
    process.stdout.write(`── ${title}: ${isGood ? 'fine' : 'failed'}\n`);
    if (!isGood) failedChecks.push(`\n── ${title} failed\n${output}`);
  }
}

/** Acceptance tests first: they are the longest, and short ones fill the end. */
function testFiles(): string[] {
  const find = (...patterns: string[]) => globSync(patterns, { cwd: ROOT }).toSorted();
  return [
    ...(isQuick ? [] : find('acceptance/**/*.test.ts')),
    ...find(
      'examples/**/*.test.ts',
      'packages/*/{src,test}/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ),
  ];
}

async function runTests(environment: Readonly<Record<string, string>>): Promise<void> {
  const events = run({
    files: testFiles(),
    cwd: ROOT,
    concurrency: CONCURRENCY,
    timeout: isLong ? 6 * FILE_MS : FILE_MS,
    env: {
      ...process.env,
      ...environment,
      [LONG_RUN_VARIABLE]: isLong ? '1' : '0',
      // Where started servers keep theirs. Loading the server's modules takes half the time with it.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    },
  });
  events.on('test:pass', ({ details }) => {
    if (details.type !== 'suite') counts.passed += 1;
  });
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1;
  });
  events.on('test:summary', ({ file, duration_ms: ms }) => {
    if (file !== undefined) seconds.set(relative(ROOT, file), ms / 1000);
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.on('end', resolve));
}

function slowestFiles(): string {
  const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const lines = slowest.map(([file, duration]) => `${duration.toFixed(1).padStart(7)} s  ${file}\n`);
  return `\n── the slowest files\n${lines.join('')}`;
}

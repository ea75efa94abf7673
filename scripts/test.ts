/**
 * `npm test`: everything that must hold before a change lands. `npm run check` (--quick) is the daily loop:
 * the same without acceptance tests. `npm run test:long` (--long) runs the series of crashes and jobs at full length. Ends with
 * one line: N passed, N failed.
 */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { LONG_RUN_VARIABLE, postgresEnvironment, startPostgres } from '@atelier/testing';

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
const FILE_MS = 600_000;

const isQuick = process.argv.includes('--quick');
const isLong = process.argv.includes('--long');
const counts = { passed: 0, failed: 0 };

for (const [title, command, ...args] of CHECKS) {
  process.stdout.write(`\n── ${title}\n`);
  const isGood = await runCommand(command, args);
  counts[isGood ? 'passed' : 'failed'] += 1;
}

process.stdout.write('\n── tests\n');
const postgres = await startPostgres();
try {
  await runTests(testFiles());
} finally {
  await postgres.stop();
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed > 0 ? 1 : 0);

function testFiles(): string[] {
  const patterns = [
    'packages/*/src/**/*.test.ts',
    'packages/*/test/**/*.test.ts',
    'scripts/**/*.test.ts',
    'bench/**/*.test.ts',
    'examples/**/*.test.ts',
  ];
  if (!isQuick) patterns.push('acceptance/**/*.test.ts');
  return globSync(patterns, { cwd: ROOT }).toSorted();
}

async function runTests(files: readonly string[]): Promise<void> {
  const events = run({
    files: [...files],
    cwd: ROOT,
    concurrency: 2,
    timeout: isLong ? 6 * FILE_MS : FILE_MS,
    env: { ...process.env, ...postgresEnvironment(postgres), [LONG_RUN_VARIABLE]: isLong ? '1' : '0' },
  });
  events.on('test:pass', ({ details }) => {
    if (details.type !== 'suite') counts.passed += 1;
  });
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1;
  });
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.on('end', resolve));
}

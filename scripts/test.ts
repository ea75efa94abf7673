/**
 * `npm test`: everything that must hold before a change lands. `npm run check` (--quick) is the daily loop:
 * the same without acceptance tests. `npm run test:long` (--long) runs the series of crashes and jobs at full length. Ends with
 * one line: N passed, N failed.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type EventData, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { LONG_RUN_VARIABLE, programEnvironment, startPostgres, temporaryFolder } from '@atelier/testing';

import { bundleServer } from './bundle-server.ts';
import { createTemplates } from './create-templates.ts';
import { groupFiles } from './group-files.ts';
import { ROOT, runCommand } from './run-command.ts';

const CHECKS: readonly (readonly [title: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', '.'],
  ['layout', 'biome', 'check', '--error-on-warnings', '.'],
  ['dead code', 'knip', '--no-progress'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['API descriptions', 'redocly', 'lint', 'docs/openapi.json', 'docs/openapi-cloud.json'],
];
/** For one file or group. A test that hangs is found by it; a busy machine must not reach it. */
const FILE_MS = 1_200_000;
/** More than there are cores: a test file waits for processes, sockets and timers about half of its time. */
const CONCURRENCY = availableParallelism() + 3;
const SLOWEST = 20;
/** They end processes or threads, fill memory or render for long: each keeps a process to itself. */
const ALONE = new RegExp(
  [
    'engine/src/(arena|execute/odd-nodes|runner/|threads/|validate/large-graphs|editor-format/hostile)',
    'nodes/src/(every-node|av/|partner/|video/|text/(text-bounds|regex)|image/previews|image/io/job-metadata)',
    'renderers/src/(create-renderers|audio/|relight/render|skin/|video/(create-stage|render-video|scene/scene))',
  ].join('|'),
);
/** They start or stop their server, lock addresses out, or count every request or job. */
const SPOILING = /process\/|http\/(administration|sign-in-limits|metrics|work-metrics)\.test\.ts$/;

const isQuick = process.argv.includes('--quick');
const isLong = process.argv.includes('--long');
const counts = { passed: 0, failed: 0 };
const seconds = new Map<string, number>();
const failedChecks: string[] = [];

const postgres = await startPostgres();
try {
  await using templates = await createTemplates(postgres);
  await using folder = await temporaryFolder();
  // A release is tested by what people start.
  const programs = isQuick || isLong ? {} : programEnvironment(await bundleServer());
  const environment = { ...templates.environment, ...programs };
  await Promise.all([runChecks(), runTests(await testFiles(folder.path), environment)]);
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
async function testFiles(folder: string): Promise<string[]> {
  const find = (...patterns: string[]) => globSync(patterns, { cwd: ROOT }).toSorted();
  const units = find(
    'packages/{cli,console,contracts,engine,inspection,nodes,packing,renderers,sdk,worker}/{src,test}/**/*.test.ts',
  );
  const acceptance = isQuick ? [] : find('acceptance/**/*.test.ts');
  const { alone = [], ...sharing } = Object.groupBy(acceptance, (file) => sharedSettings(file) ?? 'alone');
  const groups = Object.values(sharing).map(
    async (files = []) => await groupFiles(files, { size: 10, folder }),
  );
  return [
    ...(await Promise.all(groups)).flat(),
    ...alone,
    ...find('examples/**/*.test.ts'),
    ...units.filter((file) => ALONE.test(file)),
    ...(await groupFiles(
      units.filter((file) => !ALONE.test(file)),
      { size: 12, folder },
    )),
    ...(await groupFiles(find('packages/server/{src,test}/**/*.test.ts'), { size: 12, folder })),
    ...find('scripts/**/*.test.ts', 'bench/**/*.test.ts'),
  ];
}

/** The name of the settings that all blocks of a file take: one process starts a server with them once for several files. */
function sharedSettings(file: string): string | undefined {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!/\bon(Each|Any)Engine\(/.test(text) || text.includes('startServer') || SPOILING.test(file))
    return undefined;
  const mentions = text.match(/\benvironment\b/g) ?? [];
  const [, name] = /environment: ([A-Z_]+)\b/.exec(text) ?? [];
  return mentions.length === 0 ? 'default' : mentions.length === 1 ? name : undefined;
}

async function runTests(files: string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const events = run({
    files,
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
  const count = (
    outcome: keyof typeof counts,
    { nesting, file, details }: EventData.TestPass | EventData.TestFail,
  ) => {
    if (details.type !== 'suite') counts[outcome] += 1;
    if (nesting > 0 || file === undefined) return;
    const name = relative(ROOT, file);
    seconds.set(name, (seconds.get(name) ?? 0) + details.duration_ms / 1000);
  };
  events.on('test:pass', (event) => count('passed', event));
  events.on('test:fail', (event) => count('failed', event));
  const report = events.compose(spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.on('end', resolve));
}

function slowestFiles(): string {
  const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const lines = slowest.map(([file, duration]) => `${duration.toFixed(1).padStart(7)} s  ${file}\n`);
  return `\n── the slowest files\n${lines.join('')}`;
}

/** `npm run coverage`: the tests once more, with a table of what they reach in the sources. */
import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { postgresEnvironment, startPostgres } from '@atelier/testing';

import { ROOT } from './run-command.ts';

const postgres = await startPostgres();
try {
  const report = run({
    files: globSync(['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: ROOT }),
    cwd: ROOT,
    concurrency: 2,
    coverage: true,
    coverageIncludeGlobs: ['packages/*/src/**/*.ts'],
    coverageExcludeGlobs: ['**/*.test.ts', '**/*.contract.ts'],
    env: { ...process.env, ...postgresEnvironment(postgres) },
  }).compose(spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.on('end', resolve));
} finally {
  await postgres.stop();
}

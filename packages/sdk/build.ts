/**
 * `npm run build -w packages/sdk` writes the published package to `dist`, or to a given folder: JavaScript, declarations and a
 * package.json of its own. The repository itself uses the TypeScript sources, so the two describe different files, and only the one in `dist` is public.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const ROOT = import.meta.dirname;
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const LOCAL_FILES = 'files/local-files.js';

rmSync(DIST, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(
  process.execPath,
  [join(typescript, 'bin/tsc'), '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', DIST],
  { stdio: 'inherit' },
);
// The compiler turns the names of files in JavaScript only.
for (const file of globSync('**/*.d.ts', { cwd: DIST })) {
  const text = readFileSync(join(DIST, file), 'utf8');
  writeFileSync(join(DIST, file), text.replaceAll(/ from '(\.[^']+)\.ts'/g, " from '$1.js'"));
}
for (const [name, from] of [
  ['README.md', ROOT],
  ['LICENSE', join(ROOT, '../..')],
] as const) {
  cpSync(join(from, name), join(DIST, name));
}
const { name, version, description, license, type } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Record<string, string>;
const published = {
  name,
  version,
  description,
  license,
  type,
  sideEffects: false,
  engines: { node: '>=20' },
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './package.json': './package.json',
  },
  // Browsers get a module without disk access.
  imports: {
    '#local-files': {
      node: `./${LOCAL_FILES}`,
      deno: `./${LOCAL_FILES}`,
      bun: `./${LOCAL_FILES}`,
      default: './files/no-local-files.js',
    },
  },
};
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);

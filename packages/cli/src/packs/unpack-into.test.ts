import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packFolder } from '@atelier/packing';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { unpackInto } from './unpack-into.ts';

const PROJECT = '[project]\nname = "blur"\nversion = "1.0.0"\n[tool.comfy]\nPublisherId = "acme"\n';
const never = new AbortController().signal;

async function makeArchive(folder: TemporaryFolder): Promise<Uint8Array<ArrayBuffer>> {
  const source = join(folder.path, 'source');
  await mkdir(join(source, 'web'), { recursive: true });
  await writeFile(join(source, 'pyproject.toml'), PROJECT);
  await writeFile(join(source, 'web/a.js'), 'let a;\n'.repeat(1000));
  return (await packFolder(source)).archive;
}

/** A folder of packs with one installed pack. */
async function makeTarget(folder: TemporaryFolder): Promise<{ nodes: string; target: string }> {
  const nodes = join(folder.path, 'custom_nodes');
  const target = join(nodes, 'blur');
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'old.txt'), 'old');
  return { nodes, target };
}

describe('an archive in its place', () => {
  it('takes the place of what was there', async () => {
    await using folder = await temporaryFolder();
    const { nodes, target } = await makeTarget(folder);
    await unpackInto(target, await makeArchive(folder), never);
    assert.deepEqual((await readdir(target)).toSorted(), ['pyproject.toml', 'web']);
    assert.equal(await readFile(join(target, 'web/a.js'), 'utf8'), 'let a;\n'.repeat(1000));
    assert.deepEqual(await readdir(nodes), ['blur']);
  });

  it('that is damaged, or called off, changes nothing', async () => {
    await using folder = await temporaryFolder();
    const { nodes, target } = await makeTarget(folder);
    const archive = await makeArchive(folder);
    const damaged = new Uint8Array(archive);
    // In the bytes of the last file, before the directory of the archive.
    const at = Buffer.from(damaged.buffer).indexOf('web/a.js') + 20;
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    await assert.rejects(unpackInto(target, damaged, never), { name: 'UnusableArchive' });
    await assert.rejects(unpackInto(target, archive, AbortSignal.abort(new Error('enough'))), /enough/);
    assert.deepEqual(await readdir(target), ['old.txt']);
    assert.deepEqual(await readdir(nodes), ['blur']);
  });

  it('that cannot be written says so in one sentence', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    await assert.rejects(unpackInto(join(file, 'blur'), await makeArchive(folder), never), {
      name: 'CliError',
      message: `${join(file, 'blur')} cannot be written (ENOTDIR).`,
    });
  });
});

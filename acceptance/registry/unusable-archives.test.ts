import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { client } from '../support/http-client.ts';
import { cleanPack, ENCRYPTED, LINK, zipOf } from '../support/registry-archives.ts';
import { newName, newStudio, publishArchive, type Studio } from '../support/registry-publishing.ts';
import { STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const MIB = 1024 * 1024;
const SOUND = { name: '__init__.py', content: 'NODE_CLASS_MAPPINGS = {}\n' };

const repeatedly = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ name: name(index), content: '' }));

onAnyEngine('archives that cannot be used', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });

  /** The version is gone for good, with a sentence that says why. */
  const assertUnusable = async (archive: Uint8Array, why: RegExp) => {
    const version = await publishArchive(server.current, studio, newName('pack'), archive);
    assert.equal(version.status, STATUS.deleted, JSON.stringify(version));
    assert.match(version.status_reason ?? '', why);
    assert.doesNotMatch(version.status_reason ?? '', /broke off/);
    assert.equal(version.node_extract_status, 'failed');
    const anyone = client(server.current.url);
    const path = `/nodes/${version.node_id}`;
    assert.equal((await anyone.get(`${path}/install?version=1.0.0`)).status, 404);
    assert.equal('latest_version' in (await anyone.get(path)).body, false);
  };

  test('[REG-67] what is not a zip archive, or cut off, cannot be used', async () => {
    const sound = cleanPack('Scale');
    await assertUnusable(new TextEncoder().encode('<html>not found</html>'), /archive/i);
    await assertUnusable(sound.subarray(0, sound.length - 30), /archive/i);
    await assertUnusable(sound.subarray(60), /archive/i);
    await assertUnusable(new Uint8Array(5000), /archive/i);
    await assertUnusable(new Uint8Array(), /archive/i);
  });

  test('[REG-67] an archive without entries cannot be used', async () => {
    await assertUnusable(zipOf([]), /empty/i);
    await assertUnusable(zipOf([{ name: 'nodes/' }, { name: 'nodes/more/' }]), /empty/i);
  });

  test('[REG-67] an archive whose content does not match its checksum cannot be used', async () => {
    await assertUnusable(zipOf([{ ...SOUND, claimedCrc: 1 }]), /__init__\.py/);
    await assertUnusable(zipOf([{ ...SOUND, packed: new Uint8Array([1, 2, 3, 4]) }]), /__init__\.py/);
  });

  test('[REG-67] an encrypted archive cannot be used', async () => {
    await assertUnusable(zipOf([{ ...SOUND, flags: ENCRYPTED }]), /encrypted/i);
  });

  for (const name of [
    '../outside.py',
    'nodes/../../outside.py',
    'nodes/..',
    '/etc/passwd',
    '..\\outside.py',
    'nodes\\..\\..\\outside.py',
    'C:\\Windows\\outside.py',
    'C:/Windows/outside.py',
    '//server/share/outside.py',
  ]) {
    test(`[REG-68] an entry named ${name} leads out of the archive`, async () => {
      await assertUnusable(zipOf([SOUND, { name, content: 'x = 1\n' }]), /entry/i);
    });
  }

  for (const name of ['__init__.py.', '__init__.py ', 'a.py::$DATA', 'lib./a.py', 'nul.py']) {
    test(`[REG-166] an entry named ${JSON.stringify(name)} is another file on Windows`, async () => {
      await assertUnusable(zipOf([SOUND, { name, content: 'import os\nos.system("x")\n' }]), /entry/i);
    });
  }

  test('[REG-68] an entry that is a link cannot be used', async () => {
    await assertUnusable(zipOf([SOUND, { name: 'link', content: '/etc/passwd', mode: LINK }]), /link/);
    await assertUnusable(zipOf([SOUND, { name: 'link.py', content: '../x.py', mode: LINK }]), /link/);
  });

  test('[REG-69] an archive that unpacks to far more than its size is a bomb', async () => {
    await assertUnusable(zipOf([SOUND, { name: 'bomb.bin', content: new Uint8Array(64 * MIB) }]), /unpacks/);
    const layers = Array.from({ length: 8 }, (_, index) => ({
      name: `bomb${index}.bin`,
      content: new Uint8Array(8 * MIB),
    }));
    await assertUnusable(zipOf([SOUND, ...layers]), /unpacks/);
  });

  test('[REG-69] an archive that lies about what it unpacks to cannot be used', async () => {
    const packed = deflateRawSync(new Uint8Array(64 * MIB));
    for (const claimedSize of [10, 0, 63 * MIB, 2 ** 32 - 2]) {
      await assertUnusable(zipOf([SOUND, { name: 'bomb.bin', packed, claimedSize }]), /./);
    }
  });

  test('[REG-69] an archive whose entries share their bytes cannot be used', async () => {
    const shared = Array.from({ length: 500 }, (_, index) => ({ name: `copy${index}`, sharesFirst: true }));
    const first = { name: 'first.bin', content: new Uint8Array(MIB) };
    await assertUnusable(zipOf([first, ...shared]), /./);
  });

  test('[REG-69] an archive with too many entries, or too deep ones, cannot be used', async () => {
    await assertUnusable(zipOf(repeatedly(20_001, (index) => `f${index}`)), /entries/);
    await assertUnusable(zipOf([SOUND, { name: `${'d/'.repeat(200)}x.py`, content: '' }]), /deep/);
  });

  test('[REG-69] a name that stands for two files cannot be used', async () => {
    await assertUnusable(zipOf([SOUND, { ...SOUND, content: 'import os\n' }]), /__init__\.py/);
    await assertUnusable(
      zipOf([
        { name: 'a', content: 'x' },
        { name: 'a/b.py', content: 'y' },
      ]),
      /"a"/,
    );
    await assertUnusable(zipOf([SOUND, { ...SOUND, name: '__INIT__.py' }]), /letter case/);
  });
});

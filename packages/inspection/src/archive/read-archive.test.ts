import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';

import { INSPECTION_LIMITS, type InspectionLimits } from '../limits.ts';
import { buildZip, type ZipEntry } from '../test/build-zip.ts';
import { makePack } from '../test/make-pack.ts';
import { readArchive } from './read-archive.ts';
import { UnusableArchive } from './unusable-archive.ts';

const good: ZipEntry = { name: 'pack/nodes.py', content: 'A = 1\n' };
const MIB = 1024 * 1024;

async function read(archive: Buffer, limits: Partial<InspectionLimits> = {}) {
  return await readArchive(archive, { ...INSPECTION_LIMITS, ...limits });
}

async function refuses(archive: Buffer, reason: RegExp, limits: Partial<InspectionLimits> = {}) {
  await assert.rejects(read(archive, limits), (error) => {
    assert.ok(error instanceof UnusableArchive, String(error));
    assert.match(error.message, reason);
    assert.match(error.message, /\.$/, 'the reason is a sentence');
    return true;
  });
}

describe('readArchive', () => {
  it('reads what common tools write, stored and deflated, with folders', async () => {
    const content = await read(await makePack({ 'a.py': 'x = 1', 'b/c.txt': 'text' }));
    assert.deepEqual([...content.paths], ['a.py', 'b/c.txt']);
    assert.deepEqual(
      content.sources.map(({ file, bytes }) => [file, bytes.toString()]),
      [['a.py', 'x = 1']],
    );
    const built = await read(
      buildZip([
        { name: './', isStored: true },
        { name: './a/', isStored: true },
        { ...good, name: './a/b.py', isStored: true },
      ]),
    );
    assert.deepEqual([...built.paths], ['a/b.py']);
  });

  it('takes names in other letters, in UTF-8 and with a second name for old letters', async () => {
    const content = await read(
      buildZip([
        { name: '节点/数.py', content: 'x' },
        { ...good, extra: unicodePath(good) },
      ]),
    );
    assert.deepEqual([...content.paths], ['节点/数.py', 'pack/nodes.py']);
  });

  it('takes entries whose sizes follow their content', async () => {
    // yazl does not know the sizes beforehand when it is given a stream, and writes them behind.
    const { ZipFile } = await import('yazl');
    const { Readable } = await import('node:stream');
    const { buffer } = await import('node:stream/consumers');
    const zip = new ZipFile();
    zip.addReadStream(Readable.from(['x = 1\n']), 'a.py');
    zip.end({ forceZip64Format: true, comment: '' });
    assert.equal((await read(await buffer(zip.outputStream))).sources[0]?.bytes.toString(), 'x = 1\n');
  });

  describe('refuses files that are not sound archives:', () => {
    const archive = buildZip([good, { name: 'b.txt', content: 'b'.repeat(1000) }]);
    const cases: readonly [title: string, archive: Buffer, reason: RegExp][] = [
      ['nothing at all', Buffer.alloc(0), /not a sound zip archive/],
      ['text', Buffer.from('not a zip'.repeat(100)), /not a sound zip archive/],
      ['a truncated archive', archive.subarray(0, archive.length - 30), /not a sound zip archive/],
      ['an archive without its beginning', archive.subarray(20), /not a sound|directory|contradict/],
      ['an archive without entries', buildZip([]), /empty/],
      [
        'fewer entries than the directory holds',
        buildZip([good, { name: 'b' }], { entries: 1 }),
        /directory/,
      ],
      ['more entries than the directory holds', buildZip([good], { entries: 2 }), /not a sound zip archive/],
      ['a directory that is longer than it says', buildZip([good], { directoryBytes: 10 }), /directory/],
      [
        'bytes between the directory and its end',
        buildZip([good], { between: Buffer.alloc(7) }),
        /directory/,
      ],
      [
        'a program in front of the archive',
        Buffer.concat([Buffer.alloc(64), archive]),
        /not a sound|directory/,
      ],
      ['a second directory in the comment', buildZip([good], { comment: buildZip([good]) }), /./],
      ['a zip64 record with another number of entries', zip64({ entries: 2 }), /not a sound zip archive/],
      ['a zip64 record that points elsewhere', zip64({ offset: 1 }), /not a sound zip archive|directory/],
      ['a zip64 record of another size', zip64({ size: 1 }), /directory/],
    ];
    for (const [title, bytes, reason] of cases) it(title, async () => await refuses(bytes, reason));

    it('but takes a true zip64 record', async () => {
      assert.equal((await read(zip64({}))).sources.length, 1);
    });
  });

  describe('refuses entries that lie:', () => {
    const cases: readonly [title: string, entry: Partial<ZipEntry>, reason: RegExp][] = [
      ['about their checksum', { crc32: 1 }, /checksum/],
      ['that they are shorter', { inflatedBytes: 3 }, /longer than its header says|cannot be decompressed/],
      ['that they are longer', { inflatedBytes: 30 }, /shorter than its header says/],
      ['about their size in one of two headers', { localBytes: 99 }, /contradict/],
      ['about their name in one of two headers', { localName: 'pack/other.py' }, /contradict/],
      ['about their letters in one of two headers', { localFlags: 0 }, /contradict/],
      ['about the format they are in', { version: 64 }, /newer unpacker/],
      ['about where they are', { offset: 7 }, /not a sound zip archive/],
      ['about where they are, far out', { offset: 0x7fffffff }, /not a sound zip archive/],
      ['that they are deflated', { packed: Buffer.from([0xff, 0xff, 0xff]) }, /cannot be decompressed/],
      [
        'about their end',
        { packed: Buffer.concat([deflateRawSync('A = 1\n'), Buffer.from('more')]) },
        /behind its end/,
      ],
      ['about their name in an extra field', { extra: unicodePath(good, 'pack/../../x.py') }, /leads out/],
      ['by having two names', { extra: unicodePath(good, 'pack/other.py') }, /two different names/],
      ['by an extra field without end', { extra: Buffer.from([1, 0, 99, 0]) }, /not a sound zip archive/],
      ['by sizes that only zip64 could hold', { inflatedBytes: 0xffffffff }, /./],
    ];
    for (const [title, entry, reason] of cases) {
      it(title, async () => await refuses(buildZip([{ ...good, ...entry }]), reason));
    }

    it('by lying in the same bytes as others', async () => {
      await refuses(buildZip([good, { ...good, name: good.name, offset: 0 }]), /more than once/);
      const one = { ...good, name: 'a.py' };
      await refuses(
        buildZip([one, { name: 'b.py', content: 'A = 1\n', localName: 'a.py', offset: 0 }]),
        /contradict|overlap/,
      );
      const nested = buildZip([{ name: 'x', content: 'x' }]);
      await refuses(
        buildZip([
          { name: 'outer', isStored: true, content: nested },
          { name: 'x', content: 'x', offset: 35 },
        ]),
        /overlap/,
      );
    });
  });

  describe('refuses entries that lead elsewhere or are not plain files:', () => {
    const names = [
      '../x.py',
      'a/../../x.py',
      'a/..',
      '/etc/passwd',
      'C:/x.py',
      'c:x',
      '..\\x.py',
      'a\\b.py',
      'a\0.py',
    ];
    for (const name of [...names, 'a/... /x', 'a\n.py', '', '\u0085.py']) {
      it(`the name ${JSON.stringify(name)}`, async () =>
        await refuses(buildZip([{ ...good, name }]), /The entry/));
    }
    const elsewhere = [
      '__init__.py.',
      'a.py ',
      'a./b.py',
      'a /b.py',
      'a.py::$DATA',
      'a.py:b',
      'a?.py',
      'a*',
      'a<b',
    ];
    for (const name of [
      ...elsewhere,
      'a>b',
      'a|b',
      'a"b',
      'con',
      'nul.py',
      'x/AUX.tar.gz',
      'com1',
      'LPT9.txt',
    ]) {
      it(`the name ${JSON.stringify(name)}, which is another file on Windows`, async () =>
        await refuses(buildZip([{ ...good, name }]), /ends in a dot or a blank|has one of the signs|device/));
    }
    it('but not names that only look like those', async () => {
      const alike = [
        '.gitignore',
        'a..py',
        'a b.py',
        'console.py',
        'null.py',
        'com10.py',
        '.a/..b/c',
        '节点.py',
      ];
      const { paths } = await read(buildZip(alike.map((name) => ({ name }))));
      assert.deepEqual([...paths], alike);
    });
    const types: readonly [title: string, attributes: number][] = [
      ['a symbolic link', 0o120777 * 0x10000],
      ['a named pipe', 0o010644 * 0x10000],
      ['a device', 0o020644 * 0x10000],
      ['a socket', 0o140644 * 0x10000],
      ['a Windows link', 0x400],
    ];
    for (const [title, attributes] of types) {
      it(title, async () => await refuses(buildZip([{ ...good, attributes }]), /link|special/));
    }
    it('a symbolic link written by a common tool', async () => {
      await refuses(await makePack({ link: '/etc/passwd' }, { mode: 0o120777 }), /link/);
    });
    it('an encrypted entry', async () => await refuses(buildZip([{ ...good, flags: 0x801 }]), /encrypted/));
    it('another compression', async () => await refuses(buildZip([{ ...good, method: 12 }]), /deflate/));
    it('the same name twice', async () => await refuses(buildZip([good, good]), /more than once/));
    it('the same name twice, spelt differently', async () => {
      await refuses(buildZip([good, { ...good, name: 'pack/./nodes.py' }]), /more than once/);
    });
    it('a file that is a folder too', async () => {
      await refuses(buildZip([{ name: 'a' }, { name: 'a/b' }]), /both a file and a folder/);
      await refuses(buildZip([{ name: 'a/b' }, { name: 'a' }]), /both a file and a folder/);
    });
    it('a folder with content', async () =>
      await refuses(buildZip([{ name: 'a/', content: 'x' }]), /folder with content/));
  });

  describe('keeps its bounds:', () => {
    it('on the number of entries', async () => {
      const archive = buildZip(Array.from({ length: 6 }, (_, n) => ({ name: `${n}.txt` })));
      await refuses(archive, /more than 5 entries/, { entries: 5 });
      assert.equal((await read(archive, { entries: 6 })).paths.size, 6);
    });
    it('on what all entries unpack to, as the headers say and as it really is', async () => {
      const archive = await makePack({ 'a.bin': Buffer.alloc(600), 'b.bin': Buffer.alloc(600) });
      await refuses(archive, /more than 1000 bytes/, { inflatedBytes: 1000 });
      const bomb = buildZip([{ name: 'bomb', content: Buffer.alloc(64 * MIB), inflatedBytes: 10 }]);
      await refuses(bomb, /cannot be decompressed|longer than its header says/);
    });
    it('on how much an entry grows, beyond the first megabytes', async () => {
      const bomb = await makePack({ 'zeros.bin': Buffer.alloc(32 * MIB) });
      await refuses(bomb, /"zeros.bin" unpacks to over 200 times its size/);
      assert.equal((await read(await makePack({ 'zeros.bin': Buffer.alloc(2 * MIB) }))).paths.size, 1);
    });
    it('on how much many small entries grow together', async () => {
      const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.bin`, Buffer.alloc(MIB)]));
      await refuses(await makePack(files), /archive unpacks to over 200 times its size/);
    });
    it('on depth and on the length of names', async () => {
      await refuses(buildZip([{ name: 'a/'.repeat(41) + 'x' }]), /40 folders deep/);
      await refuses(buildZip([{ name: 'a'.repeat(513) }]), /more than 512 characters/);
    });
    it('on Python: what is too long is passed over and named', async () => {
      const archive = await makePack({ 'big.py': 'x'.repeat(2000), 'small.py': 'x' });
      const one = await read(archive, { pythonFileBytes: 1000 });
      assert.deepEqual([one.unread, one.sources.length], [['big.py'], 1]);
      const all = await read(archive, { pythonBytes: 2000 });
      assert.deepEqual([all.unread, all.sources.length], [['small.py'], 1]);
    });
  });

  it('refuses an archive of folders alone', async () => {
    await refuses(buildZip([{ name: 'a/' }, { name: 'a/b/' }]), /The archive is empty/);
  });

  it('refuses sources that are one file where letter case does not count', async () => {
    await refuses(
      await makePack({ '__init__.py': 'a', '__INIT__.py': 'b' }),
      /"__INIT__.py" differs .* letter case/,
    );
    await refuses(await makePack({ 'Nodes/a.py': 'a', 'nodes/A.py': 'b' }), /letter case/);
  });

  it('notes archives inside and paths that differ only in letter case', async () => {
    const inner = await makePack({ x: 'x' });
    const { notes } = await read(await makePack({ 'wheel.whl': inner, 'Readme.md': 'a', 'README.md': 'b' }));
    assert.equal(notes.length, 2);
    assert.match(notes.join('\n'), /"wheel.whl" is an archive itself/);
    assert.match(notes.join('\n'), /"README.md" differs from another path only in letter case/);
  });
});

/** The Info-ZIP field with an entry's name in Unicode. */
function unicodePath({ name }: ZipEntry, other = String(name)): Buffer {
  const path = Buffer.from(other);
  const field = Buffer.alloc(9 + path.length);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + path.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(crc32(Buffer.from(name)), 5);
  path.copy(field, 9);
  return field;
}

/** One sound entry behind a zip64 end record, which may lie. */
function zip64(lies: { entries?: number; size?: number; offset?: number }): Buffer {
  const plain = buildZip([good]);
  const end = plain.length - 22;
  const size = plain.readUInt32LE(end + 12);
  const start = plain.readUInt32LE(end + 16);
  const between = Buffer.alloc(76);
  between.writeUInt32LE(0x06064b50, 0);
  between.writeBigUInt64LE(44n, 4);
  between.writeBigUInt64LE(BigInt(lies.entries ?? 1), 24);
  between.writeBigUInt64LE(BigInt(lies.entries ?? 1), 32);
  between.writeBigUInt64LE(BigInt(lies.size ?? size), 40);
  between.writeBigUInt64LE(BigInt(lies.offset ?? start), 48);
  between.writeUInt32LE(0x07064b50, 56);
  between.writeBigUInt64LE(BigInt(end), 64);
  return buildZip([good], {
    between,
    entries: 0xffff,
    directoryBytes: 0xffffffff,
    directoryOffset: 0xffffffff,
  });
}

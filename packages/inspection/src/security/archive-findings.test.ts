import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { InspectionLimits } from '../limits.ts';
import { type Files, inspectPack } from '../test/make-pack.ts';

async function rulesIn(files: Files, limits?: Partial<InspectionLimits>): Promise<string[]> {
  const { findings } = await inspectPack(files, limits);
  return findings.map(({ rule, severity, file, excerpt }) => `${rule} ${severity} ${file} ${excerpt}`);
}

const ELF = Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(60)]);
const MACH_O = Buffer.concat([Buffer.from('cffaedfe', 'hex'), Buffer.alloc(60)]);
const FAT = Buffer.from('cafebabe000000020000000000000000', 'hex');
const PE = Buffer.alloc(0x90);
PE.write('MZ', 0, 'latin1');
PE.writeUInt32LE(0x80, 0x3c);
PE.write('PE\0\0', 0x80, 'latin1');

describe('files that are not Python', () => {
  it('are reported when they are programs or libraries, by content', async () => {
    const files = { 'bin/tool': ELF, 'lib/x.so': ELF, 'x.dll': PE, 'x.dylib': MACH_O, 'y.dylib': FAT };
    assert.deepEqual(await rulesIn(files), [
      'bundled-executable medium bin/tool ELF, 64 bytes',
      'bundled-executable medium lib/x.so ELF, 64 bytes',
      'bundled-executable medium x.dll PE, 144 bytes',
      'bundled-executable medium x.dylib Mach-O, 64 bytes',
      'bundled-executable medium y.dylib Mach-O, 16 bytes',
    ]);
  });

  it('are worse when their name hides that', async () => {
    assert.deepEqual(await rulesIn({ 'a.png': PE, 'web/b.js': ELF }), [
      'disguised-executable high a.png PE, 144 bytes',
      'disguised-executable high web/b.js ELF, 64 bytes',
    ]);
  });

  it('are not reported for what only begins alike', async () => {
    const javaClass = Buffer.from('cafebabe00000034000000000000', 'hex');
    assert.deepEqual(
      await rulesIn({ 'A.class': javaClass, 'mz.txt': 'MZ is a text', 'short.bin': '\x7fELF' }),
      [],
    );
  });

  it('are reported when they are compiled Python without a source, or run unchecked', async () => {
    const compiled = Buffer.alloc(20);
    const unchecked = Buffer.alloc(20);
    unchecked.writeUInt32LE(1, 4);
    const files = {
      'a.py': '',
      'a.pyc': compiled,
      'b.pyc': compiled,
      '__pycache__/a.cpython-312.pyc': compiled,
      '__pycache__/c.cpython-312.pyc': compiled,
      'p/a.py': '',
      'p/__pycache__/a.cpython-312.pyc': unchecked,
    };
    assert.deepEqual(await rulesIn(files), [
      'bytecode high __pycache__/c.cpython-312.pyc without its source',
      'bytecode high b.pyc without its source',
      'bytecode high p/__pycache__/a.cpython-312.pyc never checked',
    ]);
  });
});

describe('archives inside the archive', () => {
  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
  const full = Buffer.from('504b03040a000000', 'hex');

  it('are noted', async () => {
    const disguised = Buffer.concat([Buffer.from('GIF89a'), zip]);
    const { findings, notes } = await inspectPack({
      'a.py': '',
      'data/a.zip': full,
      'b.whl': full,
      'c.gif': disguised,
    });
    assert.deepEqual(findings, []);
    assert.equal(notes.length, 3);
    assert.match(notes.join(), /"data\/a\.zip" is an archive itself/);
  });

  it('are a finding when they are imported from, whatever they are called', async () => {
    const files = { 'a.py': 'import sys\nsys.path.insert(0, "data/lib.dat")\n', 'data/lib.dat': full };
    assert.deepEqual(await rulesIn(files), ['archive-import high a.py sys.path.insert(0, "data/lib.dat")']);
    assert.deepEqual(await rulesIn({ 'a.py': files['a.py'] }), []);
  });
});

describe('sources that cannot be read as they run', () => {
  it('are reported when they are too long', async () => {
    assert.deepEqual(await rulesIn({ 'a.py': 'x = 1\n'.repeat(100) }, { pythonFileBytes: 500 }), [
      'unread-source medium a.py too long',
    ]);
  });

  it('are reported when they have more tokens than could be parsed in time, or are too broken for it', async () => {
    assert.deepEqual(await rulesIn({ 'a.py': `x=1${'+1'.repeat(500_000)}` }), [
      'unread-source medium a.py too long',
    ]);
    assert.deepEqual(
      await rulesIn({ 'a.py': 'x = 1\n'.repeat(50), 'b.py': 'y = 2\n' }, { pythonTokens: 152 }),
      ['unread-source medium b.py too long'],
    );
    assert.deepEqual(await rulesIn({ 'a.py': ':'.repeat(300_000) }), [
      'unread-source medium a.py too far from Python',
    ]);
  });

  it('are reported when they declare an odd encoding', async () => {
    const odd = await inspectPack({
      'a.py': '#!/bin/env python\n# -*- coding: unicode_escape -*-\n# \\nimport os\n',
    });
    assert.deepEqual(
      odd.findings.map(({ rule, line }) => [rule, line]),
      [['odd-encoding', 2]],
    );
    assert.deepEqual(await rulesIn({ 'a.py': '# coding: utf-7\n' }), [
      'odd-encoding high a.py # coding: utf-7',
    ]);
    for (const name of ['utf-8', 'UTF8', 'latin-1', 'cp1252', 'gbk', 'ascii']) {
      assert.deepEqual(await rulesIn({ 'a.py': `# coding: ${name}\n` }), [], name);
    }
    assert.deepEqual(await rulesIn({ 'a.py': 'x = 1\ny = 2\n# coding: utf-7\n' }), []);
  });

  it('are reported when invisible characters reorder them', async () => {
    assert.deepEqual(await rulesIn({ 'a.py': 'x = "a\u202eb"\n' }), ['reordered-text high a.py x = "a b"']);
    assert.deepEqual(await rulesIn({ 'a.py': 'x = "مرحبا"\n' }), []);
  });

  it('are noted when they are not quite Python, and read all the same', async () => {
    const { notes, findings } = await inspectPack({
      'a.py': 'def f(:\n  pass\n]\neval(x)\n',
      'b.py': 'x = yield\ny = 2.\n',
    });
    assert.deepEqual(notes, ['"a.py" is not quite Python; it was read as far as possible.']);
    assert.deepEqual(
      findings.map(({ rule, line }) => [rule, line]),
      [['dynamic-execution', 4]],
    );
  });

  const hiding: readonly [what: string, source: string, line: number][] = [
    ['a default of a type', 'import os\nclass A[T=os.system(1)]: pass\n', 2],
    ['an error on the same line', 'import os\nx = 1 $ os.popen("ls")\n', 2],
    ['an import on the line of an error', 'a ? b; import subprocess\n', 1],
    ['many errors', `${'class A[T=int]: pass\n'.repeat(1200)}class A[T=eval(x)]: pass\n`, 1201],
  ];
  for (const [what, source, line] of hiding) {
    it(`are reported when they are not quite Python around what runs code: ${what}`, async () => {
      const { findings } = await inspectPack({ 'a.py': source });
      assert.ok(
        findings.some((one) => one.line === line),
        JSON.stringify(findings),
      );
    });
  }

  it('are not reported for what stands elsewhere in them', async () => {
    const source =
      '"""Uses subprocess and eval(x)."""\n\n\nclass A[T=int]: pass\n\n\n# os.system("x")\nx = 1\n';
    assert.deepEqual(await rulesIn({ 'a.py': source }), []);
  });
});

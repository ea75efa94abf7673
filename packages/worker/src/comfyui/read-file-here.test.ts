import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startScriptedComfyUi, temporaryFolder } from '@atelier/testing';

import { executorAt } from './test/run-at-scripted.ts';

for (const isItsOwn of [true, false]) {
  test(`files come from the disk of this machine where the folder of ComfyUI is ${isItsOwn ? 'here' : 'that of another'}`, async () => {
    await using disk = await temporaryFolder();
    const large = Buffer.alloc(17 * 2 ** 20, 'l');
    await using comfy = await startScriptedComfyUi(
      (prompt) => {
        const subfolder = `atelier/${prompt.id}`;
        const folder = join(disk.path, 'output', subfolder);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(disk.path, 'other.png'), 'by link');
        symlinkSync(join(disk.path, 'other.png'), join(folder, 'link.png'));
        execFileSync('mkfifo', [join(folder, 'pipe.png')]);
        writeFileSync(join(folder, 'a.png'), 'from the disk');
        writeFileSync(join(folder, 'large.mp4'), large);
        const names = ['a.png', 'large.mp4', 'link.png', 'pipe.png', 'sent.png'];
        for (const name of names) comfy.files.set(`output/${subfolder}/${name}`, Buffer.from('by request'));
        const images = names.map((filename) => ({ filename, subfolder, type: 'output' }));
        prompt.end('success', {}, { '1': { images } });
      },
      isItsOwn ? { folder: disk.path } : {},
    );
    await using at = await executorAt(comfy, { folder: disk.path });
    assert.equal((await at.run()).outcome.status, 'success');
    assert.equal(await at.read('output/a.png'), isItsOwn ? 'from the disk' : 'by request');
    assert.equal(await at.read('output/large.mp4'), isItsOwn ? large.toString() : 'by request');
    for (const name of ['link', 'pipe', 'sent'])
      assert.equal(await at.read(`output/${name}.png`), 'by request', name);
    assert.equal(
      at.logged.some((line) => line.includes('input, output, temp are not found')),
      !isItsOwn,
    );
  });
}

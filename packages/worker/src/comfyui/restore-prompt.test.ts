import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pythonJson } from '@atelier/engine';
import { PNG_SIGNATURE, pngChunk, textChunk } from '@atelier/nodes/png-chunks';

import { createRestore, restorePng } from './restore-prompt.ts';

const ORIGINAL = {
  '1': { class_type: 'LoadImage', inputs: { image: 'größe.png' } },
  '2': { class_type: 'Save', inputs: { images: ['1', 0], filename_prefix: 'mine' } },
  '3': { class_type: 'Save', inputs: { images: ['1', 0] } },
  '4': { class_type: 'Show', inputs: {} },
};
const SENT = {
  '1': { class_type: 'LoadImage', inputs: { image: 'atelier/run/input/größe.png' } },
  '2': { class_type: 'Save', inputs: { images: ['1', 0], filename_prefix: 'atelier/run/mine' } },
  '3': { class_type: 'Save', inputs: { images: ['1', 0], filename_prefix: 'atelier/run/Std' } },
  '4': { class_type: 'Show', inputs: { atelier_attempt: 'atelier/run' } },
};
const HEADER = pngChunk('IHDR', new Uint8Array(13));
const PIXELS = [pngChunk('IDAT', Uint8Array.of(1, 2, 3)), pngChunk('IEND')];

test('a picture gets the graph of its user, and the rest of the file stays the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-restore-'));
  try {
    const path = join(folder, 'a.png');
    const workflow = textChunk(['workflow', '{"title": "atelier/run/mine"}']);
    const made = (graph: object) =>
      Buffer.concat([PNG_SIGNATURE, HEADER, textChunk(['prompt', pythonJson(graph)]), workflow, ...PIXELS]);
    await writeFile(path, made(SENT));
    const newPath = async () => join(folder, 'b.png');
    const restore = createRestore(ORIGINAL, SENT);
    const restored = await restorePng(path, restore, newPath);
    assert.ok(typeof restored === 'string');
    assert.deepEqual(await readFile(restored), made(ORIGINAL));
    assert.deepEqual(await restorePng(made(SENT), restore, newPath), made(ORIGINAL));
    // What needs no change stays where it is: also pictures without a graph, and what is not a picture.
    assert.equal(await restorePng(restored, restore, newPath), restored);
    for (const other of [
      Buffer.concat([PNG_SIGNATURE, HEADER, ...PIXELS]),
      Buffer.from(PNG_SIGNATURE),
      Buffer.from('x'),
    ]) {
      await writeFile(path, other);
      assert.equal(await restorePng(path, restore, newPath), path);
      assert.equal(await restorePng(other, restore, newPath), other);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileRef, JobFiles } from '../files.ts';
import { createOutputBounds, cutText, MAX_NODE_OUTPUT_BYTES } from './bound-output.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Files that remember what was created. */
function someFiles() {
  const made: { readonly ref: FileRef; readonly text: string }[] = [];
  const create = async (ref: FileRef, content: Uint8Array): Promise<void> => {
    made.push({ ref, text: Buffer.from(content).toString() });
  };
  return { made, files: { create } as unknown as JobFiles };
}

describe('what a node shows', () => {
  it('stays as it is up to 64 KiB', async () => {
    const { made, files } = someFiles();
    const output = { text: ['a'.repeat(MAX_NODE_OUTPUT_BYTES - 100)], animated: [false] };
    assert.deepEqual(await createOutputBounds()(output, files), output);
    assert.deepEqual(made, []);
  });

  it('is cut beyond that, and the file has the whole text', async () => {
    const { made, files } = someFiles();
    const text = `"${'é🎈\n'.repeat(40_000)}`;
    const { text: shown, files: named } = await createOutputBounds()({ text: [text] }, files);
    assert.ok(text.startsWith(String(shown?.[0])));
    const bytes = bytesOf(shown);
    assert.ok(bytes <= MAX_NODE_OUTPUT_BYTES && bytes > MAX_NODE_OUTPUT_BYTES - 50, String(bytes));
    const [file] = made;
    assert.equal(file?.text, text);
    assert.match(file.ref.name, /^output_[\w-]+\.txt$/);
    assert.deepEqual(named, [{ filename: file.ref.name, subfolder: '', type: 'output', full_output: true }]);
  });

  it('names files of at most 4 MiB for a whole job', async () => {
    const { files } = someFiles();
    const bound = createOutputBounds();
    const file = { filename: 'x'.repeat(250), subfolder: 'd/'.repeat(300), type: 'output' };
    const images = Array.from({ length: 4000 }, () => file);
    await bound({ images }, files);
    await assert.rejects(bound({ images }, files), /shorten filename_prefix/);
  });

  it('keeps every reference to a file, and of other values what fits', async () => {
    const { made, files } = someFiles();
    const images = Array.from({ length: 5000 }, (_, n) => ({
      filename: `${n}.png`,
      subfolder: '',
      type: 'output',
    }));
    const output = {
      images,
      sizes: Array.from({ length: 30_000 }, (_, n) => n),
      text: ['last'],
      files: images.slice(0, 1),
    };
    const bounded = await createOutputBounds()(output, files);
    assert.deepEqual(bounded['images'], images);
    assert.deepEqual(bounded['sizes'], output.sizes.slice(0, bounded['sizes']?.length));
    assert.ok(bytesOf(bounded['sizes']) <= MAX_NODE_OUTPUT_BYTES);
    assert.deepEqual(bounded['text'], undefined);
    assert.equal(bounded['files']?.length, 2);
    assert.deepEqual(JSON.parse(made[0]?.text ?? ''), output);
    assert.match(made[0]?.ref.name ?? '', /\.json$/);
  });

  it('counts what only looks like a reference, and names of keys', async () => {
    const { files } = someFiles();
    const bound = createOutputBounds();
    const huge = {
      filename: 'a.png',
      subfolder: '',
      type: 'output',
      note: 'x'.repeat(MAX_NODE_OUTPUT_BYTES),
    };
    assert.deepEqual((await bound({ images: [huge] }, files))['images'], []);
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key ${n}`, []]));
    assert.ok(bytesOf(await bound(names, files)) < MAX_NODE_OUTPUT_BYTES + 200);
  });

  it('takes at most 1 MiB of a job; after that each node shows a little', async () => {
    const { made, files } = someFiles();
    const bound = createOutputBounds();
    const shown: unknown[] = [];
    for (let n = 0; n < 40; n += 1) shown.push(await bound({ text: ['a'.repeat(60_000)] }, files));
    const bytes = bytesOf(shown);
    assert.ok(bytes > 2 ** 20 - 2000 && bytes < 2 ** 20 + 40 * 512, String(bytes));
    assert.equal(made.length, 40 - 17);
    const little = { text: ['a'.repeat(200)] };
    assert.deepEqual(await bound(little, files), little);
  });

  it('that was cut before is cut again without another file', async () => {
    const { made, files } = someFiles();
    const once = await createOutputBounds()({ text: ['a'.repeat(100_000)] }, files);
    const bound = createOutputBounds();
    for (let n = 0; n < 20; n += 1) await bound({ text: ['b'.repeat(60_000)] }, files);
    const before = made.length;
    const again = await bound(once, files);
    assert.deepEqual(again['files'], once['files']);
    assert.ok(bytesOf(again['text']) <= 256);
    assert.equal(made.length, before);
  });
});

describe('a text that is cut', () => {
  it('never ends within a character, and nothing is cut that fits', () => {
    assert.equal(cutText('abc', 5), 'abc');
    assert.equal(cutText('abc', 4), 'ab');
    assert.equal(cutText('a\n', 4), 'a');
    for (let room = 2; room < 14; room += 1) {
      assert.equal(cutText('🎈🎈🎈', room), '🎈'.repeat(Math.floor((room - 2) / 4)), String(room));
    }
    assert.equal(cutText('abc', 0), '');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkflowInputError } from '@atelier/sdk';

import { NoWorkflowError, readWorkflowFile } from './read-file.ts';

const API = { 1: { class_type: 'Save', inputs: { seed: 1 } } };
const EDITOR = { nodes: [{ id: 1, type: 'Save' }], links: [] };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const join = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => [...part]));
const int = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const little = (value: number) => int(value).toReversed();
const file = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);

function png(...chunks: readonly (readonly [type: string, data: Uint8Array])[]): Blob {
  const parts = chunks.map(([type, data]) => join(int(data.length), bytesOf(type), data, [0, 0, 0, 0]));
  return file(join([0x89], bytesOf('PNG\r\n'), [0x1a, 0x0a], ...parts));
}

function webp(...texts: readonly string[]): Blob {
  const encoded = texts.map((text) => join(bytesOf(text), [0]));
  let at = 8 + 2 + texts.length * 12 + 4;
  const entries = encoded.map((text, index) => {
    const entry = join([0x10 + index, 0x01, 2, 0], little(text.length), little(at));
    at += text.length;
    return entry;
  });
  const tiff = join(bytesOf('II'), [42, 0], little(8), [texts.length, 0], ...entries, little(0), ...encoded);
  return file(
    join(
      bytesOf('RIFF'),
      int(0),
      bytesOf('WEBP'),
      bytesOf('VP8 '),
      little(3),
      [1, 2, 3, 0],
      bytesOf('EXIF'),
      little(tiff.length),
      tiff,
    ),
  );
}

const box = (type: string, ...parts: readonly (Uint8Array | readonly number[])[]) => {
  const data = join(...parts);
  return join(
    int(data.length + 8),
    Array.from(type, (char) => char.codePointAt(0) ?? 0),
    data,
  );
};

function mp4(values: Readonly<Record<string, string>>): Blob {
  const names = Object.keys(values);
  const keys = box('keys', int(0), int(names.length), ...names.map((name) => box('mdta', bytesOf(name))));
  const items = Object.values(values).map((value, index) =>
    box(String.fromCodePoint(0, 0, 0, index + 1), box('data', int(1), int(0), bytesOf(value))),
  );
  const meta = box('meta', int(0), box('hdlr', int(0)), keys, box('ilst', ...items));
  return file(join(box('ftyp', bytesOf('isom')), box('mdat', [1, 2, 3]), box('moov', box('udta', meta))));
}

describe('a workflow is read', () => {
  it('from JSON of either format, and out of a request', async () => {
    assert.deepEqual(await readWorkflowFile(new Blob([JSON.stringify(API)])), API);
    assert.deepEqual(await readWorkflowFile(new Blob([JSON.stringify(EDITOR)])), EDITOR);
    assert.deepEqual(await readWorkflowFile(new Blob([JSON.stringify({ prompt: API })])), API);
  });

  it('with seeds of 64 bits as they are', async () => {
    const read = await readWorkflowFile(
      new Blob(['{"1":{"class_type":"A","inputs":{"seed":18446744073709551615}}}']),
    );
    assert.deepEqual(read, { 1: { class_type: 'A', inputs: { seed: 18_446_744_073_709_551_615n } } });
  });

  it('from a PNG, the file of the editor first', async () => {
    const prompt = join(bytesOf('prompt'), [0], bytesOf(JSON.stringify(API)));
    const workflow = join(bytesOf('workflow'), [0, 0, 0, 0, 0], bytesOf(JSON.stringify(EDITOR)));
    assert.deepEqual(await readWorkflowFile(png(['tEXt', prompt])), API);
    assert.deepEqual(await readWorkflowFile(png(['tEXt', prompt], ['iTXt', workflow])), EDITOR);
  });

  it('from a WebP', async () => {
    const texts = [`prompt:${JSON.stringify(API)}`, `workflow:${JSON.stringify(EDITOR)}`];
    assert.deepEqual(await readWorkflowFile(webp(...texts)), EDITOR);
    assert.deepEqual(await readWorkflowFile(webp(...texts.slice(0, 1))), API);
  });

  it('from an MP4, also out of its comment', async () => {
    assert.deepEqual(await readWorkflowFile(mp4({ prompt: JSON.stringify(API) })), API);
    assert.deepEqual(await readWorkflowFile(mp4({ comment: JSON.stringify({ workflow: EDITOR }) })), EDITOR);
  });

  it('or not, when a picture carries none or the JSON is something else', async () => {
    await assert.rejects(async () => await readWorkflowFile(png()), NoWorkflowError);
    await assert.rejects(async () => await readWorkflowFile(webp()), NoWorkflowError);
    await assert.rejects(
      async () => await readWorkflowFile(file(join([0xff, 0xd8], int(1)))),
      NoWorkflowError,
    );
    await assert.rejects(async () => await readWorkflowFile(new Blob(['{"a":1}'])), WorkflowInputError);
  });

  it('out of broken files without harm', async () => {
    for (const whole of [png(['tEXt', bytesOf('x')]), webp('prompt:{}'), mp4({ prompt: '{}' })]) {
      const bytes = new Uint8Array(await whole.arrayBuffer());
      for (let length = 13; length < bytes.length; length += 7) {
        await assert.rejects(
          async () => await readWorkflowFile(file(bytes.slice(0, length))),
          NoWorkflowError,
        );
      }
    }
  });
});

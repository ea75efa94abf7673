import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeContext, noiseMask, runNode } from '../test/run-node.ts';
import { convertArrayToString, convertDictionaryToString, jsonExtractString } from './json-nodes.ts';
import { previewAny } from './preview-any.ts';
import { saveText } from './save-text.ts';

async function extracted(json_string: string, key: string): Promise<unknown> {
  return (await runNode(jsonExtractString, { json_string, key })).outputs[0];
}

test('JsonExtractString gives the str of a value at the top level', async () => {
  const json =
    '{"s": "text", "i": 10, "f": 1.0, "b": true, "n": null, "l": [1, "a", null], "o": {"k": 2.50}}';
  assert.equal(await extracted(json, 's'), 'text');
  assert.equal(await extracted(json, 'i'), '10');
  assert.equal(await extracted(json, 'f'), '1.0');
  assert.equal(await extracted(json, 'b'), 'True');
  assert.equal(await extracted(json, 'n'), '');
  assert.equal(await extracted(json, 'l'), "[1, 'a', None]");
  assert.equal(await extracted(json, 'o'), "{'k': 2.5}");
  assert.equal(
    await extracted('{"big": 123456789012345678901234567890}', 'big'),
    '123456789012345678901234567890',
  );
});

test('JsonExtractString is empty where there is nothing to take', async () => {
  for (const [json, key] of [
    ['{"o": {"k": 1}}', 'k'],
    ['{}', 'a'],
    ['[{"a": 1}]', 'a'],
    ['not json', 'a'],
    ['', 'a'],
    ['{"a": 1', 'a'],
    ['{}', 'constructor'],
    ['{}', '__proto__'],
  ] as const) {
    assert.equal(await extracted(json, key), '', json);
  }
});

test('dictionaries and lists become JSON with their letters as they are', async () => {
  const dictionary = { ü: [1, 2.5], e: {} };
  const text = async (indent: number): Promise<unknown> =>
    (await runNode(convertDictionaryToString, { dictionary, indent })).outputs[0];
  assert.equal(await text(0), '{"ü": [1, 2.5], "e": {}}');
  assert.equal(await text(2), '{\n  "ü": [\n    1,\n    2.5\n  ],\n  "e": {}\n}');
  const list = await runNode(convertArrayToString, { array: [true, null, 'x'], indent: 1 });
  assert.equal(list.outputs[0], '[\n true,\n null,\n "x"\n]');
  await assert.rejects(
    runNode(convertArrayToString, { array: [noiseMask({ height: 1, width: 1 })], indent: 0 }),
    {
      name: 'TypeError',
    },
  );
});

test('SaveText numbers its files, shows the text and passes it on', async () => {
  using context = nodeContext();
  const save = (text: string, format: string): ReturnType<typeof runNode> =>
    runNode(saveText, { text, filename_prefix: 'notes/%width%n', format }, context);
  const first = await save('grün\n', 'txt');
  assert.deepEqual(first.outputs, ['grün\n']);
  assert.deepEqual(first.ui, {
    text: ['grün\n'],
    files: [{ filename: '1n_00001.txt', subfolder: 'notes', type: 'output' }],
  });
  const second = await save('# a', 'md');
  assert.deepEqual(second.ui?.['files'], [{ filename: '1n_00002.md', subfolder: 'notes', type: 'output' }]);
  assert.equal(readFileSync(join(context.folder, 'output/notes/1n_00001.txt'), 'utf8'), 'grün\n');
});

test('SaveText indents what is JSON and keeps what is not', async () => {
  using context = nodeContext();
  const saved = async (text: string): Promise<string> => {
    const { ui } = await runNode(saveText, { text, filename_prefix: 'x', format: 'json' }, context);
    const [file] = (ui?.['files'] ?? []) as { filename: string }[];
    return readFileSync(join(context.folder, 'output', file?.filename ?? ''), 'utf8');
  };
  assert.equal(await saved('{"b":1.0,"10":"é","9":[]}'), '{\n  "b": 1.0,\n  "10": "é",\n  "9": []\n}');
  assert.equal(await saved('{"b":'), '{"b":');
  assert.equal(await saved(''), '');
});

test('PreviewAny shows every kind of value', async () => {
  const cases = [
    ['plain é', 'plain é'],
    [true, 'True'],
    [3, '3'],
    [2.5, '2.5'],
    [1e300, '1e+300'],
    [Number.NaN, 'nan'],
    [null, 'None'],
    [undefined, 'None'],
    [{ x: 1, é: [1.5] }, '{\n    "x": 1,\n    "é": [\n        1.5\n    ]\n}'],
    [[], '[]'],
    [{ batch: 1, height: 1, width: 2, data: Float32Array.of(0.5, 0.25) }, 'tensor([[[0.5000, 0.2500]]])'],
  ] as const;
  for (const [source, expected] of cases) {
    const { outputs, ui } = await runNode(previewAny, { source });
    assert.deepEqual(outputs, [expected]);
    assert.deepEqual(ui, { text: [expected] });
  }
});

test('PreviewAny shows values that hold pictures, or themselves, without failing', async () => {
  const mask = { batch: 1, height: 1, width: 1, data: Float32Array.of(1) };
  assert.deepEqual((await runNode(previewAny, { source: [mask, 'a'] })).outputs, ["[tensor([[[1.]]]), 'a']"]);
  const itself: unknown[] = [];
  itself.push(itself);
  await assert.rejects(runNode(previewAny, { source: itself }), { name: 'RecursionError' });
});

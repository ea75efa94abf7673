import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createFolderFiles, readObjectInfo } from '@atelier/engine';
import type { SavedFile } from '@atelier/nodes/save-path';

import { createCollector, showsSharedFile } from './collect-outputs.ts';
import { Refusal, TooLarge } from './comfyui-client.ts';
import { readNodeFacts } from './node-facts.ts';
import { cleanerFor, prefixOutputs } from './prefix-outputs.ts';
import { findFolder, removeFiles } from './remove-files.ts';
import { InputFailure, stageInputs } from './stage-inputs.ts';

const upload = (flag: string) => ({ input: { required: { file: [[], { [flag]: true }] } } });
const INFO = {
  Image: upload('image_upload'),
  Sound: upload('audio_upload'),
  Any: upload('some_new_upload'),
  Webcam: { input: { required: { file: ['WEBCAM', {}] } } },
  Plain: { input: { required: { file: ['STRING', {}] } } },
  Save: { input: { required: { filename_prefix: ['STRING', { default: 'Std' }] } }, output_node: true },
  Show: { input: { required: { images: ['IMAGE'] } }, output_node: true },
  Path: { input: { required: { filename_prefix: ['STRING', {}] } }, output_node: false },
};
const factsOf = readNodeFacts(readObjectInfo(JSON.stringify(INFO)).catalogue);
const isFlat = () => false;
const { signal } = new AbortController();
const folder = 'atelier/run';
const collecting = { folder, signal, restore: String, clean: cleanerFor(folder) };

async function userFiles(given: Readonly<Record<string, string>> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'atelier-job-files-'));
  for (const [name, text] of Object.entries(given)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const at = (name: string): string => join(root, name);
  const files = createFolderFiles({ input: at('input'), output: at('output'), temp: at('temp') });
  return { root, files, [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }) };
}

function recordingClient() {
  const sent: string[] = [];
  const client = {
    upload: async (file: Blob, { filename, subfolder }: SavedFile) => {
      sent.push(`${subfolder}/${filename}=${await file.text()}`);
    },
  };
  return { client, sent };
}

test('a preview of ComfyUI itself has a unique name; one of a pack may not', () => {
  const output = { images: [{ filename: 'ComfyUI_temp_abcde_00001_.png', subfolder: '', type: 'temp' }] };
  assert.equal(showsSharedFile(output, { folder, isComfyUis: true }), false);
  assert.equal(showsSharedFile(output, { folder, isComfyUis: false }), true);
});

test('every input with an upload flag is staged, and so are annotated files of the user', async () => {
  await using user = await userFiles({
    'input/a.png': 'a',
    'input/sub/b.wav': 'b',
    'output/c.png': 'c',
    'input/3d/m.glb': 'm',
    'input/n.glb': 'n',
    'temp/t.png': 't',
    'temp/w.png': 'w',
  });
  const { client, sent } = recordingClient();
  const node = (class_type: string, file: unknown) => ({ class_type, inputs: { file } });
  const graph = {
    '1': node('Image', 'a.png'),
    '2': node('Sound', 'sub/b.wav'),
    '3': node('Any', 'c.png [output]'),
    '4': node('Image', 'a.png'),
    '5': node('Image', ['1', 0]),
    '6': node('Plain', 'a.png'),
    '7': node('Any', '3d/m.glb'),
    '8': node('Plain', { image: 't.png [temp]', text: 'words' }),
    '9': node('Any', 'n.glb'),
    '10': node('Webcam', 'w.png [temp]'),
    '11': node('Plain', 'words [temp]'),
  };
  const staged = await stageInputs(graph, { client, files: user.files, factsOf, isFlat, folder, signal });
  const files = Object.values(staged).map(({ inputs }) => inputs['file']);
  assert.deepEqual(files, [
    'atelier/run/input/a.png',
    'atelier/run/input/sub/b.wav',
    'atelier/run/output/c.png',
    'atelier/run/input/a.png',
    ['1', 0],
    'a.png',
    '3d/atelier/run/input/3d/m.glb',
    { image: 'atelier/run/temp/t.png', text: 'words' },
    '3d/atelier/run/input/n.glb',
    'atelier/run/temp/w.png',
    'words [temp]',
  ]);
  assert.deepEqual(sent.toSorted(), [
    '3d/atelier/run/input/3d/m.glb=m',
    '3d/atelier/run/input/n.glb=n',
    'atelier/run/input/a.png=a',
    'atelier/run/input/sub/b.wav=b',
    'atelier/run/output/c.png=c',
    'atelier/run/temp/t.png=t',
    'atelier/run/temp/w.png=w',
  ]);
});

test('an input that accepts only files outside of folders gets them under unique names', async () => {
  const long = `${'n'.repeat(200)}.png`;
  await using user = await userFiles({ 'input/a.png': 'a', 'input/x/a.png': 'x', [`input/${long}`]: 'l' });
  const { client, sent } = recordingClient();
  const parts = { client, files: user.files, factsOf, folder, signal };
  const node = (class_type: string, file: string) => ({ class_type, inputs: { file } });
  const staged = await stageInputs(
    {
      '1': node('Any', 'a.png'),
      '2': node('Any', 'x/a.png'),
      '3': node('Image', 'a.png'),
      '4': node('Any', long),
    },
    { ...parts, isFlat: (nodeType, input) => nodeType === 'Any' && input === 'file' },
  );
  const shortened = `${'n'.repeat(186)}.png`;
  assert.deepEqual(
    Object.values(staged).map(({ inputs }) => inputs['file']),
    ['atelier-run-0-a.png', 'atelier-run-1-a.png', 'atelier/run/input/a.png', `atelier-run-3-${shortened}`],
  );
  assert.deepEqual(sent.toSorted(), [
    '/atelier-run-0-a.png=a',
    '/atelier-run-1-a.png=x',
    `/atelier-run-3-${shortened}=l`,
    'atelier/run/input/a.png=a',
  ]);
  assert.equal(cleanerFor(folder)("'atelier-run-0-a.png' is not a picture"), "'a.png' is not a picture");
});

test('a file that is missing or too large for ComfyUI fails with its node', async () => {
  await using user = await userFiles({ 'input/big.png': 'b' });
  const client = { upload: async () => await Promise.reject(new Refusal('/upload/image', 413, '')) };
  const parts = { client, files: user.files, factsOf, isFlat, folder, signal };
  for (const [file, sentence] of [
    ['none.png', /no file none\.png/],
    ['../../etc/passwd', /Invalid file name/],
    ['big.png', /larger than what ComfyUI accepts/],
  ] as const) {
    const graph = { '5': { class_type: 'Image', inputs: { file } } };
    await assert.rejects(
      stageInputs(graph, parts),
      (error) => error instanceof InputFailure && error.nodeId === '5' && sentence.test(error.message),
    );
  }
});

test('every output node gets its own folder or cache key', () => {
  const inputs = (class_type: string, given: Record<string, unknown>) =>
    prefixOutputs({ '1': { class_type, inputs: given } }, { factsOf, folder })['1']?.inputs;
  assert.deepEqual(inputs('Save', { filename_prefix: 'a/b' }), { filename_prefix: 'atelier/run/a/b' });
  assert.deepEqual(inputs('Save', {}), { filename_prefix: 'atelier/run/Std' });
  assert.deepEqual(inputs('Save', { filename_prefix: ['2', 0] }), {
    filename_prefix: ['2', 0],
    atelier_attempt: folder,
  });
  // ComfyUI refuses it, as it would without us.
  assert.deepEqual(inputs('Save', { filename_prefix: 'a/../../b' }), {
    filename_prefix: 'a/../../b',
    atelier_attempt: folder,
  });
  assert.deepEqual(inputs('Show', { images: ['2', 0] }), { images: ['2', 0], atelier_attempt: folder });
  assert.deepEqual(inputs('Path', { filename_prefix: 'a' }), { filename_prefix: 'a' });
});

test('texts of ComfyUI have the names that the user gave', () => {
  const clean = cleanerFor(folder);
  assert.equal(
    clean("no image '/c/input/atelier/run/input/pets/cat.png'"),
    "no image '/c/input/pets/cat.png'",
  );
  assert.equal(
    clean(String.raw`C:\\c\\input\\atelier\\run\\input\\cat.png`),
    String.raw`C:\\c\\input\\cat.png`,
  );
  assert.equal(clean('3d/atelier/run/input/3d/a.glb and atelier/run/take_1'), '3d/a.glb and take_1');
  assert.equal(
    clean(`{'images': ['2', 0], 'atelier_attempt': '${folder}'} {"atelier_attempt": "${folder}"}`),
    "{'images': ['2', 0]} {}",
  );
});

function collectorFor(user: Awaited<ReturnType<typeof userFiles>>) {
  const fetched: string[] = [];
  const client = {
    async download(
      { filename, subfolder, type }: Record<'filename' | 'subfolder' | 'type', string>,
      { newPath }: { readonly newPath: () => Promise<string> },
    ) {
      fetched.push(`${type}/${subfolder}/${filename}`);
      // Pictures are small enough for memory.
      if (filename.endsWith('.png')) return Buffer.from(filename);
      const path = await newPath();
      await writeFile(path, filename);
      return path;
    },
  };
  return { ...createCollector({ client, files: user.files, ...collecting }), fetched };
}

test('files under any key are stored under the numbers that the user would have got', async () => {
  await using user = await userFiles({ 'output/x_00004_.png': 'old' });
  const { collect, fetched } = collectorFor(user);
  const file = (filename: string, more = {}) => ({ filename, subfolder: folder, type: 'output', ...more });
  const output = await collect({
    images: [file('x_00001_.png'), file('x_00002_.png')],
    gifs: [
      file('v_00001.mp4', { format: 'video/h264-mp4', fullpath: '/home/x/v.mp4' }),
      file('v_00001-audio.mp4'),
    ],
    '3d': [file('mesh.glb')],
    text: ['hello', 5, `saved as ${folder}/x`],
    animated: [true],
  });
  assert.deepEqual(output, {
    images: [
      { filename: 'x_00005_.png', subfolder: '', type: 'output' },
      { filename: 'x_00006_.png', subfolder: '', type: 'output' },
    ],
    gifs: [
      { filename: 'v_00001.mp4', subfolder: '', type: 'output', format: 'video/h264-mp4' },
      { filename: 'v_00001-audio.mp4', subfolder: '', type: 'output' },
    ],
    '3d': [{ filename: 'mesh.glb', subfolder: '', type: 'output' }],
    text: ['hello', 5, 'saved as x'],
    animated: [true],
  });
  assert.equal(await readFile(join(user.root, 'output/x_00005_.png'), 'utf8'), 'x_00001_.png');
  assert.equal(fetched.length, 5);
});

test('a file that two nodes name is stored once, a staged input is the user’s own, and a name that is taken gets a number', async () => {
  await using user = await userFiles({ 'output/mesh.glb': 'old' });
  const { collect, fetched } = collectorFor(user);
  const image = { filename: 'a_00001_.png', subfolder: `${folder}/sub`, type: 'output' };
  const first = await collect({ images: [image] });
  assert.deepEqual(await collect({ images: [image] }), first);
  assert.deepEqual(fetched, ['output/atelier/run/sub/a_00001_.png']);
  assert.deepEqual(first['images'], [{ filename: 'a_00001_.png', subfolder: 'sub', type: 'output' }]);
  const staged = { filename: 'c.png', subfolder: `${folder}/output/deep`, type: 'input' };
  assert.deepEqual((await collect({ images: [staged] }))['images'], [
    { filename: 'c.png', subfolder: 'deep', type: 'output' },
  ]);
  const mesh = { filename: 'mesh.glb', subfolder: folder, type: 'output' };
  assert.deepEqual((await collect({ result: [mesh] }))['result'], [
    { filename: 'mesh (1).glb', subfolder: '', type: 'output' },
  ]);
});

test('a file that ComfyUI does not deliver is named', async () => {
  await using user = await userFiles();
  for (const error of [new Refusal('/view', 404, ''), new TooLarge(2 ** 20)]) {
    const client = { download: async () => await Promise.reject(error) };
    const { collect } = createCollector({ client, files: user.files, ...collecting });
    const output = { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] };
    await assert.rejects(collect(output), { name: 'OutputFailure', message: /a\.png/ });
  }
});

test('only the files of an attempt are removed from the disk of ComfyUI', async () => {
  await using user = await userFiles({
    'input/atelier/run/input/a.png': '',
    'input/3d/atelier/run/m.glb': '',
    'input/atelier-run-0-a.png': '',
    'input/keep.png': '',
    'output/atelier/run/x.png': '',
    'output/atelier/other/x.png': '',
    'output/mine.png': '',
    'temp/p.png': '',
    'keep.txt': '',
  });
  const at = (name: string): string => join(user.root, name);
  const roots = { input: at('input'), output: at('output'), temp: at('temp') };
  await removeFiles(roots, folder, [
    { filename: 'p.png', subfolder: '', type: 'temp' },
    { filename: 'keep.txt', subfolder: '..', type: 'temp' },
    { filename: 'keep.png', subfolder: '', type: 'input' },
    { filename: 'mine.png', subfolder: '', type: 'output' },
  ]);
  const left = await readdir(user.root, { recursive: true, withFileTypes: true });
  const names = left.filter((entry) => entry.isFile()).map((entry) => entry.name);
  assert.deepEqual(names.toSorted(), ['keep.png', 'keep.txt', 'mine.png', 'x.png']);
});

test('the folder of a ComfyUI is found if it is on this machine', async () => {
  await using user = await userFiles({ 'models/checkpoints/a.safetensors': '' });
  const at = (url: string, path: string) => ({
    url,
    get: async () => await Promise.resolve([{ name: 'checkpoints', folders: ['/elsewhere', path] }]),
  });
  const path = join(user.root, 'models/checkpoints');
  assert.equal(await findFolder(at('http://127.0.0.1:8188', path)), user.root);
  assert.equal(await findFolder(at('http://gpu.example.com:8188', path)), undefined);
  assert.equal(await findFolder(at('http://localhost:8188', '/none/models/checkpoints')), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readOptions } from './read-options.ts';

const read = (...args: string[]) => readOptions(['--token', 't', ...args], {});

test('a worker with a ComfyUI always has the label comfyui', () => {
  const { comfyui, labels } = read('--comfyui', 'http://127.0.0.1:8188', '--labels', 'gpu,comfyui');
  assert.deepEqual(labels, ['gpu', 'comfyui']);
  assert.deepEqual(comfyui, {
    url: 'http://127.0.0.1:8188',
    start: undefined,
    folder: undefined,
    clearsCache: false,
  });
  assert.deepEqual(read().labels, []);
  assert.equal(read().slots, 2);
});

test('options that do not go together are refused with a sentence', () => {
  const url = ['--comfyui', 'http://127.0.0.1:8188'];
  const cases: [args: string[], sentence: RegExp][] = [
    [['--labels', 'gpu,GPU'], /--labels takes lower-case words .*, not GPU/],
    [
      ['--labels', Array.from({ length: 33 }, (_, n) => `l${n}`).join(',')],
      /--labels takes at most 32 labels/,
    ],
    [['--name', ''], /--name must have 1 to 64 printable characters/],
    [['--name', 'a\nb'], /--name must have 1 to 64 printable characters/],
    [[...url, '--slots', '4'], /--slots does not apply with --comfyui/],
    [[...url, '--memory-mb', '4096'], /--memory-mb does not apply/],
    [[...url, '--packs', 'x'], /--packs does not apply/],
    [['--start', 'python main.py'], /--start needs --comfyui/],
    [['--comfyui-folder', '/x'], /--comfyui-folder needs --comfyui/],
    [['--comfyui', 'localhost'], /--comfyui is the URL/],
    [['--comfyui', 'http://me:secret@host'], /a user name or a password, which a worker does not send/],
  ];
  for (const [args, message] of cases) assert.throws(() => read(...args), { name: 'BadOptions', message });
});

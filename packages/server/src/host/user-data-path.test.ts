import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { AppError } from '../platform/errors/app-error.ts';
import { foldersAbove, toFilePath, toUserDataPath } from './user-data-path.ts';

const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'request.invalid';

describe('paths of user data', () => {
  test('are names with one slash between them', () => {
    const spellings = {
      'workflows/cat.json': 'workflows/cat.json',
      'workflows//cat.json': 'workflows/cat.json',
      './workflows/./cat.json': 'workflows/cat.json',
      'workflows/': 'workflows',
      '.': '',
      '': '',
      '.hidden/..x/x..': '.hidden/..x/x..',
      '猫 %2F~.json': '猫 %2F~.json',
    };
    for (const [text, path] of Object.entries(spellings)) assert.equal(toUserDataPath(text), path);
  });

  test('lead nowhere else', () => {
    const wrong = [
      '..',
      'a/../b',
      'a/..',
      '...',
      '/etc/passwd',
      '//x',
      '\\\\x',
      'a\\..\\b',
      'a\0',
      'a\nb',
      '\u009b',
    ];
    for (const text of wrong) assert.throws(() => toUserDataPath(text), isRefusal, JSON.stringify(text));
    assert.throws(() => toUserDataPath('\ud800'), isRefusal);
  });

  test('are bounded in length and depth', () => {
    const name = 'x'.repeat(255);
    assert.equal(toUserDataPath(`${name}/${name}`).length, 511);
    assert.equal(toUserDataPath(Array(10).fill('a').join('/')).length, 19);
    for (const text of [`${name}x`, `${name}/${name}/a`, Array(11).fill('a').join('/')]) {
      assert.throws(() => toUserDataPath(text), isRefusal);
    }
  });

  test('of a file are not the top and no folder', () => {
    for (const text of ['', '.', './', 'a/', 'a//']) assert.throws(() => toFilePath(text), isRefusal, text);
    assert.equal(toFilePath('a/b'), 'a/b');
  });

  test('lie in the folders above them', () => {
    assert.deepEqual(foldersAbove('a/b/c'), ['a', 'a/b']);
    assert.deepEqual(foldersAbove('a'), []);
  });
});

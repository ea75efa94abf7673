import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { toAnnotatedPlace, toPlace } from './file-place.ts';

const output = { folder: 'output' } as const;

describe('places of files', () => {
  it('are a folder, a subfolder without leading or trailing slashes, and a name', () => {
    const place = { folder: 'output', subfolder: 'a/b', fileName: 'c.png' };
    assert.deepEqual(toPlace('c.png', { ...output, subfolder: 'a/b' }), place);
    assert.deepEqual(toPlace('a\\b\\c.png', output), place);
    assert.deepEqual(toPlace('./b//c.png', { ...output, subfolder: 'a/' }), place);
    assert.deepEqual(toPlace('c', output), { folder: 'output', subfolder: '', fileName: 'c' });
    assert.equal(toPlace('..png', output)?.fileName, '..png');
  });

  it('never leave their folder', () => {
    const long = 'x'.repeat(256);
    for (const name of [
      '',
      '.',
      '..',
      '../a',
      'a/..',
      'a/../b',
      '/a',
      '\\a',
      'c:\\a',
      'a/',
      'a\0',
      'a\n',
      long,
    ]) {
      assert.equal(toPlace(name, output), undefined, JSON.stringify(name));
    }
    for (const subfolder of ['..', '../..', '/', '/etc', 'a/../..', 'D:/x', '\ud800']) {
      assert.equal(toPlace('a', { ...output, subfolder }), undefined, subfolder);
    }
  });

  it('take their folder from an annotation only where clients write the name', () => {
    assert.deepEqual(toAnnotatedPlace('s/a.png [temp]', output), {
      folder: 'temp',
      subfolder: 's',
      fileName: 'a.png',
    });
    assert.equal(toAnnotatedPlace('a.png [models]', output)?.fileName, 'a.png [models]');
    assert.equal(toPlace('a.png [temp]', output)?.fileName, 'a.png [temp]');
    assert.equal(toAnnotatedPlace('[temp]', output), undefined);
  });
});

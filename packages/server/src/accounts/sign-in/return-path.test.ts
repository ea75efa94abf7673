import assert from 'node:assert/strict';
import { it } from 'node:test';

import { ownPath } from './return-path.ts';

it('keeps paths of this server, as a browser reads them', () => {
  for (const path of ['/', '/console/', '/console/jobs?state=failed#top', '/editor/?a=//b', '/a%2F%2Fb']) {
    assert.equal(ownPath(path), path);
  }
  assert.equal(ownPath('/console/../editor/'), '/editor/');
  assert.equal(ownPath('/a//b'), '/a//b');
});

it('refuses whatever leads elsewhere', () => {
  for (const path of [
    '',
    'console',
    'https://elsewhere.example/',
    '//elsewhere.example',
    '///elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    '/\n/elsewhere.example',
    '/.//elsewhere.example',
    '/a/..//elsewhere.example',
    '/%2e//elsewhere.example',
    ' //elsewhere.example',
    'javascript:alert(1)',
    '//[',
  ]) {
    assert.equal(ownPath(path), undefined, JSON.stringify(path));
  }
});

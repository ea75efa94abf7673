import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAtelier } from '../create-atelier.ts';
import { isSafeForKey, path, readServerAddress } from './server-address.ts';

describe('the address of a server', () => {
  it('allows an unencrypted key within a network only', () => {
    const good = [
      'https://example.com',
      'http://127.0.0.1:8080',
      'http://localhost:8080',
      'http://[::1]:8080',
      'http://[fd12::1]',
      'http://10.1.2.3',
      'http://192.168.1.5',
      'http://172.20.0.4',
      'http://atelier:8080',
      'http://box.local',
    ];
    const bad = [
      'http://example.com',
      'http://8.8.8.8',
      'http://172.32.0.1',
      'http://[2001:db8::1]',
      'http://10.example.com',
    ];
    for (const url of good) assert.equal(isSafeForKey(new URL(url)), true, url);
    for (const url of bad) assert.equal(isSafeForKey(new URL(url)), false, url);
    assert.throws(() => createAtelier({ url: 'http://example.com', apiKey: 'key' }), /unencrypted/);
    createAtelier({ url: 'http://example.com', apiKey: 'key', allowInsecure: true });
    createAtelier({ url: 'http://example.com' });
    for (const wrong of [{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { retries: -1 }])
      assert.throws(() => createAtelier({ url: 'http://localhost', ...wrong }), { code: 'client.usage' });
  });

  it('is a web address without a credential', () => {
    assert.equal(readServerAddress('https://example.com/atelier//').href, 'https://example.com/atelier');
    for (const url of ['', 'example.com', 'ftp://example.com', 'https://key@example.com']) {
      assert.throws(() => readServerAddress(url), { code: 'client.usage' });
    }
  });

  it('has paths that lead nowhere else', () => {
    assert.equal(path`/a/${'x/../y z'}/b/${7}`, '/a/x%2F..%2Fy%20z/b/7');
    for (const id of ['', '.', '..']) assert.throws(() => path`/a/${id}`, { code: 'client.usage' });
  });
});

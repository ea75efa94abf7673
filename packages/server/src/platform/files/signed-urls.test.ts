import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { Secret } from '../secret.ts';
import type { LinkOptions } from './file-store.ts';
import { createUrlSigner, type LinkParts } from './signed-urls.ts';

const HASH = 'ab'.repeat(32);
const NOW = 1_700_000_000_000;
const LINK: LinkOptions = { name: 'cat.png', mediaType: 'image/png', expiresAt: NOW + 3_600_000 };

function createTestSigner(options: { key?: number; now?: number; baseUrl?: string } = {}) {
  const { key = 7, now = NOW, baseUrl = 'http://files.test' } = options;
  return createUrlSigner({
    key: new Secret(new Uint8Array(32).fill(key)),
    baseUrl: () => baseUrl,
    clock: () => now,
  });
}

function signedParts(link: LinkOptions = LINK): LinkParts {
  const signer = createTestSigner();
  const parts = signer.parse(signer.sign(HASH, link));
  assert.ok(parts);
  return parts;
}

describe('signed URLs', () => {
  it('name the file, its type and its end in a stable form', () => {
    const url = createTestSigner().sign(HASH, LINK);
    assert.match(
      url,
      /^http:\/\/files\.test\/files\/(ab){32}\/cat\.png\?type=image%2Fpng&disposition=inline&expires=1700003600&signature=[\w-]{43}$/,
    );
    assert.equal(createTestSigner({ baseUrl: 'http://files.test/' }).sign(HASH, LINK), url);
  });

  it('verify to what was signed, and how long it is valid', () => {
    assert.deepEqual(createTestSigner().verify(signedParts()), {
      hash: HASH,
      name: 'cat.png',
      mediaType: 'image/png',
      disposition: 'inline',
      secondsLeft: 3_600,
    });
  });

  it('are refused when any part is altered, dropped or emptied', () => {
    const parts = signedParts();
    const altered: Partial<LinkParts>[] = [
      { hash: 'ac'.repeat(32) },
      { hash: HASH.toUpperCase() },
      { name: 'cat.html' },
      { type: 'text/html' },
      { type: 'IMAGE/PNG' },
      { disposition: 'attachment' },
      { expires: '1800000000' },
      { expires: '1700003600.0' },
      { expires: '01700003600' },
      { signature: `${parts.signature}=` },
      { signature: parts.signature.slice(1) },
      { signature: parts.signature.toLowerCase() },
      ...Object.keys(parts).map((part) => ({ [part]: '' })),
    ];
    for (const change of altered) {
      assert.throws(
        () => createTestSigner().verify({ ...parts, ...change }),
        { code: 'file.link_invalid' },
        JSON.stringify(change),
      );
    }
  });

  it('have one spelling only: the spare bits of the last signature character count', () => {
    const parts = signedParts();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(parts.signature.slice(-1));
    const twin = parts.signature.slice(0, -1) + alphabet[last ^ 1];
    assert.deepEqual(Buffer.from(twin, 'base64url'), Buffer.from(parts.signature, 'base64url'));
    assert.throws(() => createTestSigner().verify({ ...parts, signature: twin }), {
      code: 'file.link_invalid',
    });
  });

  it('keep their parts apart: text moved from one to the next is an alteration', () => {
    const parts = signedParts({ ...LINK, name: 'a","b' });
    const moved = { ...parts, name: 'a', type: `b","${parts.type}` };
    assert.throws(() => createTestSigner().verify(moved), { code: 'file.link_invalid' });
    assert.equal(createTestSigner().verify(parts).name, 'a","b');
  });

  it('are refused under another key', () => {
    assert.throws(() => createTestSigner({ key: 8 }).verify(signedParts()), { code: 'file.link_invalid' });
  });

  it('expire at their second, and say so only for a valid signature', () => {
    const parts = signedParts({ ...LINK, expiresAt: NOW + 1_500 });
    assert.equal(createTestSigner({ now: NOW + 1_999 }).verify(parts).secondsLeft, 0);
    assert.throws(() => createTestSigner({ now: NOW + 2_000 }).verify(parts), { code: 'file.link_expired' });
    assert.throws(() => createTestSigner({ now: NOW + 2_000 }).verify({ ...parts, name: 'x' }), {
      code: 'file.link_invalid',
    });
  });

  it('never sign a runnable type as inline, nor a type that breaks a header', () => {
    assert.equal(
      signedParts({ ...LINK, mediaType: 'image/svg+xml', disposition: 'inline' }).disposition,
      'attachment',
    );
    assert.equal(signedParts({ ...LINK, mediaType: 'x\r\ny' }).type, 'application/octet-stream');
  });

  it('are parsed to the same parts for any name', () => {
    const signer = createTestSigner();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const parts = signer.parse(signer.sign(HASH, { ...LINK, name }));
        assert.ok(parts);
        signer.verify(parts);
      }),
    );
  });

  it('are distinguished from URLs of other servers', () => {
    const signer = createTestSigner();
    for (const url of [
      '',
      'nonsense',
      'http://other.test/files/a/b',
      'http://files.test/other',
      'http://files.test:99/files/a/b',
    ]) {
      assert.equal(signer.parse(url), undefined, url);
    }
    const broken = signer.parse('http://files.test/files/x/%zz?type=a');
    assert.ok(broken);
    assert.throws(() => signer.verify(broken), { code: 'file.link_invalid' });
  });

  it('require a full key, a hash and a time', () => {
    const short = { key: new Secret(new Uint8Array(31)), baseUrl: () => '', clock: () => NOW };
    assert.throws(() => createUrlSigner(short), Error);
    assert.throws(() => createTestSigner().sign('..', LINK), TypeError);
    assert.throws(() => createTestSigner().sign(HASH, { ...LINK, expiresAt: Number.NaN }), RangeError);
  });
});

import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';

import { AppError } from '../../platform/errors/app-error.ts';
import { createUrlSigner } from '../../platform/files/signed-urls.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { allowing } from '../../platform/net/test/loopback-server.ts';
import { Secret } from '../../platform/secret.ts';
import { createPictureSources, PictureUnreachable } from './picture-sources.ts';

const OWN = 'https://atelier.test/files/';

/** A server on this machine that may be asked, beside links of our own. */
async function sourcesFor(t: TestContext, answer: RequestListener = (_, response) => response.end()) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({ allow: allowing(`127.0.0.1:${port}`) });
  t.after(() => {
    outbound.close();
    server.closeAllConnections();
    server.close();
  });
  const sources = createPictureSources({
    outbound,
    maxBytes: 50 * 2 ** 20,
    async openOwnLink(url) {
      if (!url.startsWith(OWN)) return undefined;
      if (url.endsWith('expired')) throw new AppError('file.link_expired', 'The link has expired.');
      return Readable.from([Buffer.from('ours')]);
    },
  });
  return { sources, url: `http://127.0.0.1:${port}/picture` };
}

const { signal } = new AbortController();

describe('a picture that is named by its address', () => {
  it('is read from the store when the link is ours, without a request', async (t) => {
    const { sources } = await sourcesFor(t);
    assert.equal(String(await sources.readOwn(`${OWN}a`)), 'ours');
    assert.equal(await sources.readOwn('https://example.com/a.png'), undefined);
    assert.match(String(await sources.readOwn(`${OWN}expired`)), /cannot be used: The link has expired$/);
  });

  it('[PRX-14] is read through a link of ours until that expires, and refused if the link was altered', async () => {
    let now = 1_000_000;
    const key = new Secret(new Uint8Array(32));
    const signer = createUrlSigner({ key, baseUrl: () => 'http://127.0.0.1:8080', clock: () => now });
    const sources = createPictureSources({
      outbound: createOutbound({ allow: [] }),
      maxBytes: 50 * 2 ** 20,
      async openOwnLink(url) {
        const parts = signer.parse(url);
        return parts && Readable.from([Buffer.from(signer.verify(parts).name)]);
      },
    });
    const options = { name: 'a.png', mediaType: 'image/png', expiresAt: now + 5000 };
    const link = signer.sign('a'.repeat(64), options);
    assert.equal(String(await sources.readOwn(link)), 'a.png');
    assert.match(String(await sources.readOwn(`${link}0`)), /^cannot be used: This link was altered/);
    now += 5000;
    assert.match(String(await sources.readOwn(link)), /^cannot be used: This link has expired/);
  });

  it('is refused at once at a forbidden address', async (t) => {
    const { sources } = await sourcesFor(t);
    const urls = [
      'http://example.com/a.png',
      'https://127.0.0.1/a',
      'https://169.254.169.254/',
      'file:///etc/passwd',
    ];
    for (const url of [...urls, 'https://[::1]/', 'https://localhost/a', 'https://a b']) {
      assert.match((await sources.validateUrl(url)) ?? '', /^(cannot be used|must be)/, url);
    }
  });

  it('is not refused if its host is not found now', async (t) => {
    const { sources } = await sourcesFor(t);
    assert.equal(await sources.validateUrl('https://no-such-host.invalid/a.png'), undefined);
  });

  it('is accepted only with status 200', async (t) => {
    let status = 200;
    const { sources, url } = await sourcesFor(t, (_, response) => response.writeHead(status).end('bytes'));
    assert.equal(String(await buffer(await sources.open(url, signal))), 'bytes');
    for (const [next, mayPass] of [
      [404, false],
      [204, false],
      [500, true],
      [429, true],
    ] as const) {
      status = next;
      await assert.rejects(
        async () => await sources.open(url, signal),
        (error) => error instanceof PictureUnreachable && error.mayPass === mayPass,
        String(next),
      );
    }
  });

  it('is not fetched from a forbidden address after a redirect', async (t) => {
    const { sources, url } = await sourcesFor(t, (_, response) =>
      response.writeHead(302, { location: 'https://10.0.0.1/secret' }).end(),
    );
    await assert.rejects(
      async () => await sources.open(url, signal),
      (error) => error instanceof PictureUnreachable && !error.mayPass,
    );
  });
});

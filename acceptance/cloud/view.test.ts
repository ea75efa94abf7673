import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import sharp from 'sharp';

import { finish, newSubmitter, type Submitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { measure } from '../support/metrics.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { newPicture, pixelsOf, png, take, upload, type Viewed, view } from '../support/user-files.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const HOUR_MS = 3_600_000;
const PATHS = ['/api/view', '/api/viewvideo'];

/** Links that differ from the given one in one part, for every part and many ways. */
function alterations(link: string): string[] {
  const url = new URL(link);
  const changed = [url.origin + url.pathname];
  for (const name of url.searchParams.keys()) {
    const value = url.searchParams.get(name) ?? '';
    for (const wrong of [
      '',
      `${value}0`,
      value.slice(0, -1),
      `1${value}`,
      'inline',
      '9999999999',
      'text/html',
    ]) {
      if (wrong === value) continue;
      const altered = new URL(url);
      altered.searchParams.set(name, wrong);
      changed.push(altered.href);
    }
    const without = new URL(url);
    without.searchParams.delete(name);
    changed.push(without.href);
  }
  return changed;
}

onAnyEngine('viewing files', (server) => {
  let ada: Submitter;
  let bob: Submitter;
  before(async () => {
    [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
  });
  const see = async (query: Readonly<Record<string, string>>, init: Parameters<typeof view>[3] = {}) =>
    await view(server.current, ada.key, query, init);
  const linkOf = ({ status, headers }: Viewed): string => {
    assert.equal(status, 302);
    return headers.get('location') ?? '';
  };
  /** A picture with alpha of two pixels. */
  const clear = async () => {
    const own = Math.floor(Math.random() * 256);
    const { name } = await upload(ada.api, await png([own, 20, 30, 0, 40, 50, 60, 128], 2, 1));
    return { own, query: { filename: name, type: 'input' } };
  };

  test('[FIL-11] a file is behind a link that needs no key, on every path', async () => {
    const bytes = await newPicture();
    const { name } = await upload(ada.api, bytes);
    for (const path of PATHS) {
      for (const method of ['GET', 'HEAD']) {
        const asked = Date.now();
        const answer = await see({ filename: name, type: 'input' }, { path, method });
        assert.match(answer.headers.get('vary') ?? '', /X-API-Key/i);
        assert.match(answer.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
        const link = linkOf(answer);
        const expires = Number(new URL(link).searchParams.get('expires')) * 1000;
        assert.ok(expires >= asked + HOUR_MS && expires <= Date.now() + HOUR_MS + 1000);
        const { status, headers, bytes: given } = await take(link);
        assert.equal(status, 200);
        assert.deepEqual(given, bytes);
        assert.equal(headers.get('content-type'), 'image/png');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.match(headers.get('content-disposition') ?? '', /^inline/);
        const part = await take(link, { headers: { range: 'bytes=1-3' } });
        assert.deepEqual([part.status, part.bytes.toString()], [206, 'PNG']);
        const known = { 'if-none-match': headers.get('etag') ?? '' };
        assert.equal((await take(link, { headers: known })).status, 304);
      }
      const nobody = await client(server.current.url).get(`${path}?filename=${name}&type=input`);
      assert.equal(nobody.status, 401);
      assertShape(nobody.body, 'code');
    }
  });

  test('[FIL-11] what a browser could run is an attachment', async () => {
    for (const [name, content] of [
      ['drawn.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['page.html', '<html><script>alert(1)</script></html>'],
      ['plain.txt', 'text'],
    ] as const) {
      const { name: filename } = await upload(ada.api, Buffer.from(content), name);
      const { headers } = await take(linkOf(await see({ filename, type: 'input' })));
      assert.match(headers.get('content-disposition') ?? '', /^attachment/, name);
      assert.doesNotMatch(headers.get('content-type') ?? '', /html|script/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('[FIL-11] [FIL-12] outputs of jobs are found by every spelling of their names', async () => {
    const { outputs } = await finish(ada.api, pictureWorkflow({ prefix: 'deep/er/cat' }));
    const [image] = outputs['2']?.['images'] ?? [];
    assert.ok(image);
    const { filename, subfolder } = image;
    assert.deepEqual([subfolder, image.type], ['deep/er', 'output']);
    const links = [];
    for (const query of [
      { filename, subfolder, type: 'output' },
      { filename, subfolder },
      { filename, subfolder: 'deep/er/' },
      { filename, subfolder: String.raw`deep\er` },
      { filename: `deep/er/${filename}` },
      { filename: `deep/er/${filename}`, subfolder: '' },
      { filename: `deep/er/${filename} [output]`, type: 'input' },
      { filename, subfolder, format: 'x', fullpath: 'y', timestamp: '1', rand: '0.5' },
    ]) {
      links.push(new URL(linkOf(await see(query))).pathname);
    }
    assert.equal(new Set(links).size, 1);
    const { asset } = await upload(ada.api, await newPicture());
    linkOf(await see({ filename: asset.asset_hash }));
    linkOf(await see({ filename: asset.asset_hash.toUpperCase().replace('BLAKE3', 'blake3') }));
  });

  test('[FIL-13] what leads elsewhere gets 400, what is not the caller’s 404', async () => {
    const own = await upload(ada.api, await newPicture());
    const foreign = await upload(bob.api, await newPicture());
    const mine = { filename: own.name, type: 'input' };
    linkOf(await see(mine));
    for (const [query, expected] of [
      [{}, 400],
      [{ filename: '' }, 400],
      [{ ...mine, type: 'models' }, 400],
      [{ ...mine, type: 'INPUT' }, 400],
      [{ ...mine, type: '' }, 400],
      [{ filename: '../../etc/passwd' }, 400],
      [{ filename: '../../../../../../etc/passwd', type: 'input' }, 400],
      [{ filename: '..' }, 400],
      [{ filename: '/etc/passwd' }, 400],
      [{ filename: String.raw`..\..\etc\passwd` }, 400],
      [{ filename: 'C:\\windows\\win.ini' }, 400],
      [{ filename: '....//....//etc/passwd' }, 404],
      [{ filename: '%2e%2e%2fetc%2fpasswd' }, 404],
      [{ ...mine, subfolder: '..' }, 400],
      [{ ...mine, subfolder: '/' }, 400],
      [{ filename: foreign.name, subfolder: `../../${bob.id}/input`, type: 'input' }, 400],
      [{ filename: 'a\u0000.png' }, 400],
      [{ filename: 'x'.repeat(2000) }, 400],
      [{ filename: `${own.name}/`, type: 'input' }, 400],
      [{ filename: own.name }, 404],
      [{ filename: own.name.toUpperCase(), type: 'input' }, 404],
      [{ filename: foreign.name, type: 'input' }, 404],
      [{ filename: foreign.asset.asset_hash }, 404],
      [{ filename: 'blake3:nothing' }, 404],
      [{ filename: 'none.png' }, 404],
      [{ filename: "'; drop table assets; --" }, 404],
    ] as const) {
      const { status, bytes } = await see(query);
      assert.equal(status, expected, JSON.stringify(query).slice(0, 100));
      assertShape(JSON.parse(bytes.toString()), 'code');
    }
    const twice = await ada.api.get(`/view?filename=${own.name}&filename=${foreign.name}&type=input`);
    assert.equal(twice.status, 400);
  });

  test('[FIL-14] an altered link gets 403, and so does one that was made to name another file', async () => {
    const { name } = await upload(ada.api, await newPicture());
    const link = linkOf(await see({ filename: name, type: 'input' }));
    const { name: other } = await upload(bob.api, await newPicture());
    const hash = (file: string) => file.replace(/\.\w+$/, '');
    for (const altered of [
      ...alterations(link),
      link.replace(hash(name), hash(other)),
      link.replaceAll(hash(name), hash(other)),
      link.replace(`/${name}`, '/other.html'),
      link.replace(`/${name}`, '/..%2f..%2fetc%2fpasswd'),
    ]) {
      assert.notEqual(altered, link);
      assert.equal((await take(altered)).status, 403, altered);
      assert.equal((await take(altered, { headers: { 'x-api-key': ada.key } })).status, 403);
    }
    assert.equal((await take(link)).status, 200);
  });

  test('[FIL-15] the channels of a picture, as they are', async () => {
    const { own, query } = await clear();
    for (const [channel, channels, pixels] of [
      ['rgb', 3, [own, 20, 30, 40, 50, 60]],
      ['rgba', 4, [own, 20, 30, 0, 40, 50, 60, 128]],
      ['a', 4, [0, 0, 0, 0, 0, 0, 0, 128]],
    ] as const) {
      const { status, headers, bytes } = await see({ ...query, channel });
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
      assert.deepEqual(await pixelsOf(bytes), { width: 2, height: 1, channels, pixels }, channel);
    }
    const { bytes: alpha } = await see({ ...query, channel: 'alpha' });
    assert.equal((await sharp(alpha).metadata()).channels, 1);
    assert.deepEqual([...(await sharp(alpha).extractChannel(0).raw().toBuffer())], [0, 128]);
    for (const channel of ['g', '', 'RGB']) assert.equal((await see({ ...query, channel })).status, 400);
    const opaque = await upload(ada.api, await png([own, 9, 9, 99, 99, 99], 2, 1));
    const { bytes } = await see({ filename: opaque.name, type: 'input', channel: 'a' });
    assert.deepEqual((await pixelsOf(bytes)).pixels, [0, 0, 0, 255, 0, 0, 0, 255]);
  });

  test('[FIL-16] [FIL-17] thumbnails and previews have the size and format that is asked for', async () => {
    const large = await upload(ada.api, await newPicture(300, 150));
    const small = await upload(ada.api, await newPicture(10, 5));
    const query = { filename: large.name, type: 'input' };
    for (const [wanted, format, width, height] of [
      [{ res: '64' }, 'jpeg', 64, 32],
      [{ res: '64', channel: 'rgb' }, 'jpeg', 64, 32],
      [{ res: '100', channel: 'a' }, 'png', 100, 50],
      [{ res: '1024' }, 'jpeg', 300, 150],
      [{ res: '64', filename: small.name }, 'jpeg', 10, 5],
      [{ preview: 'webp;50' }, 'webp', 300, 150],
      [{ preview: 'webp' }, 'webp', 300, 150],
      [{ preview: 'jpeg;90' }, 'jpeg', 300, 150],
      [{ preview: 'jpeg', channel: 'a' }, 'webp', 300, 150],
      [{ preview: 'gif;x', res: '100' }, 'webp', 100, 50],
    ] as const) {
      const { status, headers, bytes } = await see({ ...query, ...wanted });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), `image/${format}`);
      const found = await sharp(bytes).metadata();
      assert.deepEqual(
        [found.format, found.width, found.height],
        [format, width, height],
        JSON.stringify(wanted),
      );
    }
    for (const res of ['63', '1025', '1e2', 'x', '', '-64', '64.5']) {
      const { status, bytes } = await see({ ...query, res });
      assert.equal(status, 400, res);
      assertShape(JSON.parse(bytes.toString()), 'code');
    }
    const { query: transparent } = await clear();
    const flat = await pixelsOf((await see({ ...transparent, res: '64' })).bytes);
    assert.ok(flat.pixels.slice(0, 3).every((value) => value > 200));
  });

  test('[FIL-18] a picture in another form answers conditions and ranges', async () => {
    const { query } = await clear();
    const wanted = { ...query, channel: 'rgb' };
    const first = await see(wanted);
    const etag = first.headers.get('etag') ?? '';
    const { search } = new URL(`http://x/?${new URLSearchParams(wanted)}`);
    const again = await ada.api.get(`/api/view${search}`, { 'if-none-match': etag });
    assert.equal(again.status, 304);
    const part = await see(wanted, { headers: { range: 'bytes=1-3' } });
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'PNG']);
    const beyond = await ada.api.get(`/api/view${search}`, { range: 'bytes=9999999-' });
    assert.equal(beyond.status, 416);
    const other = await ada.api.get(`/api/view${search}`, { 'if-match': '"another"' });
    assert.equal(other.status, 412);
    const turned = await sharp(await newPicture(6, 2))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { name } = await upload(ada.api, turned, 'turned.jpg');
    const shown = await see({ filename: name, type: 'input', channel: 'rgb' });
    const { width, height } = await pixelsOf(shown.bytes);
    assert.deepEqual([width, height], [2, 6]);
  });

  test('[FIL-18] what cannot be decoded is only there as it is', async () => {
    const picture = await newPicture(50, 50);
    for (const [name, bytes] of [
      ['cut.png', picture.subarray(0, picture.length - 40)],
      ['drawn.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
      ['text.png', Buffer.from('no picture')],
    ] as const) {
      const uploaded = await upload(ada.api, bytes, name);
      const query = { filename: uploaded.name, type: 'input' };
      for (const wanted of [{ channel: 'rgb' }, { res: '64' }, { preview: 'webp' }]) {
        const refused = await see({ ...query, ...wanted });
        assert.equal(refused.status, 400, name);
        assertShape(JSON.parse(refused.bytes.toString()), 'code');
      }
      assert.deepEqual((await take(linkOf(await see(query)))).bytes, bytes);
    }
  });

  test('[FIL-30] a file that the disk has damaged is a named error and never the wrong bytes', async () => {
    const counted = async () =>
      (await measure(server.current.url)).of('atelier_corrupt_files_total', { store: 'outputs' });
    const start = await counted();
    for (const isLarge of [false, true]) {
      const bytes = Buffer.concat([await newPicture(), randomBytes(isLarge ? 3_000_000 : 0)]);
      const { name } = await upload(ada.api, bytes);
      const link = linkOf(await see({ filename: name, type: 'input' }));
      const hash = new URL(link).pathname.split('/')[2] ?? '';
      const path = join(server.current.dataFolder, 'outputs', hash.slice(0, 2), hash.slice(2, 4), hash);
      await chmod(path, 0o600);
      await writeFile(path, Buffer.from(bytes).fill(0));
      // Disks tell times in steps of milliseconds, and this must not seem to be the time of the upload.
      await utimes(path, 0, 0);
      // Only at its end is a large file seen to be wrong: the answer breaks off, and the next ones are errors.
      if (isLarge) await assert.rejects(take(link));
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(link, { method });
        assert.equal(answer.status, 500, method);
        if (method === 'GET') assert.match(await answer.text(), /"file\.corrupt"/);
      }
      const line = new RegExp(`${hash}[^\\n]*a stored file is corrupt`);
      await until('the log to name the file', () => line.test(server.current.output()));
      // The same upload again brings it back.
      await upload(ada.api, bytes);
      assert.deepEqual((await take(link)).bytes, bytes);
    }
    assert.equal((await counted()) - start, 2);
  });

  test('[FIL-20] files and links outlive a restart', async () => {
    const bytes = await newPicture();
    const { name } = await upload(ada.api, bytes);
    const { pathname, search } = new URL(linkOf(await see({ filename: name, type: 'input' })));
    await server.restart();
    assert.deepEqual((await take(server.current.url + pathname + search)).bytes, bytes);
    assert.deepEqual((await take(linkOf(await see({ filename: name, type: 'input' })))).bytes, bytes);
  });
});

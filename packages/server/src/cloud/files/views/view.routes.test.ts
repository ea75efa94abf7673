import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import sharp from 'sharp';

import { aUser } from '../../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { newId } from '../../../platform/ids.ts';
import * as repo from '../assets.repo.ts';
import { type FilesServer, startFilesServer, TEMP_MS } from '../test/files-server.ts';
import { aDeepPng, aPicture, aPng, pixelsOf } from '../test/pictures.ts';

onEachDatabase('view', (db) => {
  /** A file as a job makes it. */
  const make = async (under: FilesServer, userId: string, path: string, bytes: Uint8Array | string) => {
    const [type = '', ...parts] = path.split('/');
    const filename = parts.pop() ?? '';
    const subfolder = parts.join('/');
    const folders = await under.cloud.files.foldersOf(userId);
    await mkdir(join(folders.input, '..', type, subfolder), { recursive: true });
    await writeFile(join(folders.input, '..', path), bytes);
    const job = { id: newId(), userId };
    await under.cloud.files.keep(job, '1', { images: [{ filename, subfolder, type }] });
    return { filename, subfolder, type };
  };
  const view = async (
    under: FilesServer,
    userId: string,
    query: Readonly<Record<string, string>>,
    init: RequestInit & { path?: string } = {},
  ) =>
    await fetch(`${under.url}${init.path ?? '/api/view'}?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      ...init,
      headers: { 'x-user': userId, ...(init.headers as Record<string, string>) },
    });
  const picture = async (answer: Response) => await pixelsOf(Buffer.from(await answer.arrayBuffer()));

  it('redirects to a link to the file that works for anyone for an hour', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    const png = await aPicture(3, 2);
    await make(under, id, 'output/deep/a cat.png', png);
    const query = { filename: 'a cat.png', subfolder: 'deep', type: 'output' };
    for (const path of ['/api/view', '/api/viewvideo']) {
      const answer = await view(under, id, query, { path });
      assert.equal(answer.status, 302);
      assert.match(String(answer.headers.get('vary')), /X-API-Key/);
      const life = /^private, max-age=(\d+)$/.exec(String(answer.headers.get('cache-control')));
      assert.ok(Number(life?.[1]) < 3600);
      const location = String(answer.headers.get('location'));
      const file = await fetch(location);
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), png);
      assert.equal(file.headers.get('content-type'), 'image/png');
      under.time.now += 3_601_000;
      assert.equal((await fetch(location)).status, 403);
    }
    const head = await view(under, id, query, { method: 'HEAD' });
    assert.equal(head.status, 302);
  });

  it('finds files by every spelling of their names', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/sub/x.txt', 'in a subfolder');
    await make(under, id, 'temp/t.txt', 'temporary');
    const asset = await repo.findAssetAt(db(), id, { folder: 'temp', subfolder: '', fileName: 't.txt' });
    for (const query of [
      { filename: 'x.txt', subfolder: 'sub' },
      { filename: 'x.txt', subfolder: 'sub/' },
      { filename: 'sub/x.txt' },
      { filename: 'sub\\x.txt', subfolder: '' },
      { filename: 'sub/x.txt [output]', type: 'input' },
      { filename: 't.txt', type: 'temp' },
      { filename: 't.txt [temp]' },
      { filename: `blake3:${asset?.blake3}` },
      { filename: 't.txt', type: 'temp', format: 'x', fullpath: 'y', timestamp: '1' },
    ]) {
      assert.equal((await view(under, id, query)).status, 302, JSON.stringify(query));
    }
  });

  it('hides files of others, missing and expired ones, and refuses names that lead elsewhere', async () => {
    await using under = await startFilesServer(db());
    const [user, other] = [await aUser(db()), await aUser(db())];
    await make(under, user.id, 'output/a.txt', 'mine');
    await make(under, other.id, 'output/b.txt', 'theirs');
    const foreign = await repo.findAssetAt(db(), other.id, {
      folder: 'output',
      subfolder: '',
      fileName: 'b.txt',
    });
    await make(under, user.id, 'temp/c.txt', 'old');
    const cases: readonly (readonly [Record<string, string>, number])[] = [
      [{}, 400],
      [{ filename: '' }, 400],
      [{ filename: 'a.txt', type: 'models' }, 400],
      [{ filename: '../../etc/passwd' }, 400],
      [{ filename: '..' }, 400],
      [{ filename: '/etc/passwd' }, 400],
      [{ filename: 'C:\\x' }, 400],
      [{ filename: `..\\..\\${other.id}\\output\\b.txt` }, 400],
      [{ filename: 'a.txt', subfolder: '..' }, 400],
      [{ filename: 'a.txt', subfolder: '/' }, 400],
      [{ filename: 'b.txt', subfolder: `../../${other.id}/output` }, 400],
      [{ filename: 'a\0.txt' }, 400],
      [{ filename: 'x'.repeat(2000) }, 400],
      [{ filename: 'x'.repeat(300) }, 400],
      [{ filename: 'a.txt', channel: 'g' }, 400],
      [{ filename: 'a.txt', channel: 'rgb' }, 400],
      [{ filename: 'a.txt', res: '63' }, 400],
      [{ filename: 'a.txt', res: '1025' }, 400],
      [{ filename: 'a.txt', res: '1e2' }, 400],
      [{ filename: 'b.txt' }, 404],
      [{ filename: 'a.txt', type: 'input' }, 404],
      [{ filename: 'A.TXT' }, 404],
      [{ filename: 'a.txt/' }, 400],
      [{ filename: `blake3:${foreign?.blake3}` }, 404],
      [{ filename: 'blake3:nothing' }, 404],
      [{ filename: "'; drop table assets; --" }, 404],
      [{ filename: 'c.txt', type: 'temp' }, 302],
    ];
    for (const [query, status] of cases) {
      const answer = await view(under, user.id, query);
      assert.equal(answer.status, status, JSON.stringify(query));
      if (status !== 302) assert.match(await answer.text(), /^\{"code":"/);
    }
    under.time.now += TEMP_MS;
    assert.equal((await view(under, user.id, { filename: 'c.txt', type: 'temp' })).status, 404);
    const twice = await fetch(`${under.url}/api/view?filename=a.txt&filename=b.txt`, {
      headers: { 'x-user': user.id },
    });
    assert.equal(twice.status, 400);
  });

  it('shows the channels of a picture with alpha, untouched', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/a.png', await aPng([10, 20, 30, 0, 40, 50, 60, 128], 2, 1));
    const shown = {
      rgb: [3, 10, 20, 30, 40, 50, 60],
      rgba: [4, 10, 20, 30, 0, 40, 50, 60, 128],
      a: [4, 0, 0, 0, 0, 0, 0, 0, 128],
    };
    for (const [channel, [channels, ...pixels]] of Object.entries(shown)) {
      const answer = await view(under, id, { filename: 'a.png', channel });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
      assert.deepEqual(await picture(answer), { width: 2, height: 1, channels, pixels }, channel);
    }
    const alpha = await view(under, id, { filename: 'a.png', channel: 'alpha' });
    const bytes = Buffer.from(await alpha.arrayBuffer());
    assert.equal((await sharp(bytes).metadata()).channels, 1);
    assert.deepEqual([...(await sharp(bytes).extractChannel(0).raw().toBuffer())], [0, 128]);
  });

  it('treats a picture without alpha as opaque, including gray, deep and turned ones', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/gray.png', await aPng([9, 99], 2, 1));
    const deep = await aDeepPng([9, 9, 9, 99, 99, 99], 2, 1);
    assert.equal((await sharp(deep).metadata()).depth, 'ushort');
    await make(under, id, 'output/deep.png', deep);
    for (const filename of ['gray.png', 'deep.png']) {
      const a = await picture(await view(under, id, { filename, channel: 'a' }));
      assert.deepEqual([a.channels, a.pixels], [4, [0, 0, 0, 255, 0, 0, 0, 255]], filename);
      const rgb = await picture(await view(under, id, { filename, channel: 'rgb' }));
      assert.deepEqual([rgb.channels, rgb.pixels], [3, [9, 9, 9, 99, 99, 99]], filename);
      const alpha = Buffer.from(await (await view(under, id, { filename, channel: 'alpha' })).arrayBuffer());
      assert.deepEqual([...(await sharp(alpha).extractChannel(0).raw().toBuffer())], [255, 255], filename);
    }
    await make(under, id, 'output/deeper.png', await aDeepPng([9, 9, 9, 7, 99, 99, 99, 8], 2, 1));
    const deeper = await view(under, id, { filename: 'deeper.png', channel: 'alpha' });
    const alphas = sharp(Buffer.from(await deeper.arrayBuffer())).extractChannel(0);
    assert.deepEqual([...(await alphas.raw().toBuffer())], [7, 8]);
    const turned = await sharp(await aPicture(6, 2))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await make(under, id, 'output/turned.jpg', turned);
    const { width, height } = await picture(
      await view(under, id, { filename: 'turned.jpg', channel: 'rgb' }),
    );
    assert.deepEqual([width, height], [2, 6]);
  });

  it('makes thumbnails and previews in the requested size and format', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/a.png', await aPicture(300, 150, { r: 255, g: 0, b: 0, alpha: 0 }));
    await make(under, id, 'output/small.png', await aPicture(10, 5));
    const shapes = [
      [{ res: '64' }, 'jpeg', 64, 32],
      [{ res: '64', channel: 'rgb' }, 'jpeg', 64, 32],
      [{ res: '64', channel: 'a' }, 'png', 64, 32],
      [{ preview: 'webp;50' }, 'webp', 300, 150],
      [{ preview: 'jpeg' }, 'jpeg', 300, 150],
      [{ preview: 'jpeg;90', channel: 'a' }, 'webp', 300, 150],
      [{ preview: 'gif;x', res: '100' }, 'webp', 100, 50],
    ] as const;
    for (const [query, format, width, height] of shapes) {
      const answer = await view(under, id, { filename: 'a.png', ...query });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), `image/${format}`);
      const found = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      assert.deepEqual([found.format, found.width, found.height], [format, width, height]);
    }
    const flat = await picture(await view(under, id, { filename: 'a.png', res: '64' }));
    assert.deepEqual(flat.pixels.slice(0, 3), [255, 255, 255]);
    const small = await picture(await view(under, id, { filename: 'small.png', res: '64' }));
    assert.deepEqual([small.width, small.height], [10, 5]);
  });

  it('makes each variant once, supports conditions and ranges, and removes unused variants', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/a.png', await aPicture(300, 300));
    const query = { filename: 'a.png', res: '100' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => view(under, id, query)));
    const bodies = await Promise.all(answers.map(async (each) => Buffer.from(await each.arrayBuffer())));
    assert.equal(new Set(bodies.map(String)).size, 1);
    assert.equal((await under.left('variants')).length, 1);
    const etag = String(answers[0]?.headers.get('etag'));
    const again = await view(under, id, query, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    const part = await view(under, id, query, { headers: { range: 'bytes=0-9' } });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bodies[0]?.subarray(0, 10));
    under.time.now += 24 * 3_600_000 + 1;
    await under.cloud.tidy();
    assert.deepEqual(await under.left('variants'), []);
  });

  it('keeps its variants within their limit, and always the newest', async () => {
    const noise = await sharp({
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    await using under = await startFilesServer(db(), { cacheBytes: noise.length + 5000 });
    const { id } = await aUser(db());
    await make(under, id, 'output/a.png', noise);
    const kept: number[] = [];
    for (const channel of ['a', 'alpha', 'rgb', 'rgba', 'a']) {
      const answer = await view(under, id, { filename: 'a.png', channel });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      kept.push((await under.left('variants')).length);
    }
    assert.deepEqual(kept, [1, 2, 3, 1, 2]);
  });

  it('answers 400 for pictures that cannot be read, and draws no SVG', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    const png = await aPicture(50, 50);
    await make(under, id, 'output/cut.png', png.subarray(0, png.length - 40));
    await make(under, id, 'output/a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await make(under, id, 'output/a.mp4', Buffer.from('000000186674797069736f6d', 'hex'));
    for (const filename of ['cut.png', 'a.svg', 'a.mp4']) {
      for (const query of [{ channel: 'rgb' }, { res: '64' }, { preview: 'webp' }]) {
        assert.equal((await view(under, id, { filename, ...query })).status, 400, filename);
      }
      assert.equal((await view(under, id, { filename })).status, 302);
    }
    assert.deepEqual(await under.left('variants'), []);
    const svg = await view(under, id, { filename: 'a.svg' });
    const drawn = await fetch(String(svg.headers.get('location')));
    assert.match(String(drawn.headers.get('content-disposition')), /^attachment/);
  });

  it('records access to a file at most once an hour', async () => {
    await using under = await startFilesServer(db());
    const { id } = await aUser(db());
    await make(under, id, 'output/a.txt', 'a');
    const made = under.time.now;
    const accessed = async () => {
      await view(under, id, { filename: 'a.txt' });
      return (await repo.findAssetAt(db(), id, { folder: 'output', subfolder: '', fileName: 'a.txt' }))
        ?.last_access_at;
    };
    under.time.now = made + 3_599_999;
    assert.equal(await accessed(), made);
    under.time.now = made + 3_600_000;
    assert.equal(await accessed(), made + 3_600_000);
  });
});

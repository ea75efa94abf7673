import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { download, finish, newSubmitter, type Submitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { onAnyEngine } from '../support/servers.ts';
import {
  contentName,
  type Field,
  filesOf,
  image,
  newPicture,
  pixelsOf,
  png,
  sendForm,
  upload,
  view,
} from '../support/user-files.ts';

/** Paths without `/api` answer as ComfyUI does, where its cloud answers otherwise. */
onAnyEngine('ComfyUI’s own paths', (server) => {
  let ada: Submitter;
  let bob: Submitter;
  before(async () => {
    [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
  });
  const send = async (bytes: Uint8Array, name: string, ...others: readonly Field[]) => {
    const { status, body } = await sendForm(ada.api, '/upload/image', [image(bytes, name), ...others]);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const see = async (query: Readonly<Record<string, string>>, init: RequestInit = {}) =>
    await view(server.current, ada.key, query, { path: '/view', ...init });

  test('[FIL-21] an upload keeps its name and subfolder, and nodes load it by them', async () => {
    const bytes = await newPicture(7, 5);
    const flat = await send(bytes, 'my cat.png');
    assert.deepEqual([flat.name, flat.subfolder, flat.type], ['my cat.png', '', 'input']);
    const deep = await send(bytes, 'my cat.png', ['subfolder', 'pets/cats']);
    assert.deepEqual([deep.name, deep.subfolder], ['my cat.png', 'pets/cats']);
    const hashed = await upload(ada.api, bytes, 'my cat.png');
    assert.equal(hashed.name, contentName(bytes, 'png'));
    for (const name of ['my cat.png', 'pets/cats/my cat.png', 'pets/cats/my cat.png [input]', hashed.name]) {
      const { status, outputs } = await finish(ada.api, {
        '1': { class_type: 'LoadImage', inputs: { image: name } },
        '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
      });
      assert.equal(status, 'completed', name);
      const [made] = outputs['2']?.['images'] ?? [];
      assert.ok(made);
      const { width, height } = await pixelsOf(await download(ada.api, made));
      assert.deepEqual([width, height], [7, 5]);
    }
    const foreign = await bob.api.post('/prompt', {
      prompt: {
        '1': { class_type: 'LoadImage', inputs: { image: 'my cat.png' } },
        '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
      },
    });
    assert.equal(foreign.status, 400);
  });

  test('[FIL-21] other bytes of the same name are numbered, the same bytes are kept once, and overwrite replaces', async () => {
    const [first, second] = [await newPicture(2, 1), await newPicture(3, 1)];
    const folder: Field = ['subfolder', 'numbered'];
    const earlier = await filesOf(ada.api);
    for (const [bytes, expected] of [
      [first, 'a.b.png'],
      [first, 'a.b.png'],
      [second, 'a.b (1).png'],
      [second, 'a.b (1).png'],
      [await newPicture(4, 1), 'a.b (2).png'],
    ] as const) {
      assert.equal((await send(bytes, 'a.b.png', folder)).name, expected);
    }
    assert.equal(await filesOf(ada.api), earlier + 3);
    const { name } = await send(second, 'a.b.png', folder, ['overwrite', 'true']);
    assert.equal(name, 'a.b.png');
    assert.equal(await filesOf(ada.api), earlier + 3);
    const query = { filename: name, subfolder: 'numbered', type: 'input' };
    assert.deepEqual((await see(query)).bytes, second);
    const together = await Promise.all(
      [5, 6, 7].map(async (width) => await send(await newPicture(width, 1), 'at once.png', folder)),
    );
    assert.equal(new Set(together.map((each) => each.name)).size, 3);
  });

  test('[FIL-21] a name that leads elsewhere gets 400, one that is a folder 409, and nothing is kept', async () => {
    const bytes = await newPicture();
    await send(bytes, 'file.png', ['subfolder', 'taken']);
    const earlier = await filesOf(ada.api);
    for (const [name, subfolder, expected] of [
      ['a.png', '../elsewhere', 400],
      ['a.png', `../../${bob.id}/input`, 400],
      ['a.png', '/etc', 400],
      ['a.png', String.raw`..\..`, 400],
      ['..', '', 400],
      ['x'.repeat(256), '', 400],
      ['taken', '', 409],
      ['a.png', 'taken/file.png', 409],
    ] as const) {
      const form: Field[] = [image(bytes, name), ['subfolder', subfolder]];
      const { status, body } = await sendForm(ada.api, '/upload/image', form);
      assert.equal(status, expected, `${subfolder}/${name}`);
      assertShape(body, 'code');
    }
    assert.equal(await filesOf(ada.api), earlier);
  });

  test('[FIL-21] a mask keeps its name and subfolder too', async () => {
    const { name } = await send(await png([1, 2, 3, 255], 1, 1), 'under.png', ['subfolder', 'masks']);
    const { status, body } = await sendForm(ada.api, '/upload/mask', [
      image(await png([0, 0, 0, 9], 1, 1), 'clipspace-mask-1.png'),
      ['subfolder', 'clipspace'],
      ['original_ref', JSON.stringify({ filename: name, subfolder: 'masks', type: 'input' })],
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.name, body.subfolder], ['clipspace-mask-1.png', 'clipspace']);
    const { bytes } = await see({ filename: body.name, subfolder: body.subfolder, type: 'input' });
    assert.deepEqual((await pixelsOf(bytes)).pixels, [1, 2, 3, 9]);
  });

  test('[FIL-22] a view is the bytes themselves, with ranges, conditions and a quoted name', async () => {
    const bytes = await newPicture();
    const { name } = await send(bytes, 'seen.png');
    const query = { filename: name, type: 'input' };
    for (const wanted of [query, { ...query, channel: 'rgba' }]) {
      const whole = await see(wanted);
      assert.equal(whole.status, 200);
      assert.deepEqual(whole.bytes, bytes);
      assert.equal(whole.headers.get('content-type'), 'image/png');
      assert.equal(whole.headers.get('content-disposition'), 'inline; filename="seen.png"');
      assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
      assert.match(whole.headers.get('vary') ?? '', /X-API-Key/);
      const known = { 'if-none-match': whole.headers.get('etag') ?? '' };
      assert.equal((await see(wanted, { headers: known })).status, 304);
    }
    const head = await see(query, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
    const part = await see(query, { headers: { range: 'bytes=1-3' } });
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'PNG']);
    for (const [wanted, type] of [
      [{ channel: 'rgb' }, 'image/png'],
      [{ preview: 'webp;80' }, 'image/webp'],
      [{ preview: 'jpeg' }, 'image/jpeg'],
    ] as const) {
      const { status, headers } = await see({ ...query, ...wanted });
      assert.deepEqual([status, headers.get('content-type')], [200, type]);
      assert.match(headers.get('content-disposition') ?? '', /; filename="seen\.\w+"$/);
    }
    const page = await send(Buffer.from('<html><script>alert(1)</script></html>'), 'page.html');
    const { headers } = await see({ filename: page.name, type: 'input' });
    assert.equal(headers.get('content-disposition'), 'attachment; filename="page.html"');
    assert.doesNotMatch(headers.get('content-type') ?? '', /html/);
    const foreign = await bob.api.get(`/view?${new URLSearchParams(query)}`);
    assert.equal(foreign.status, 404);
    assertShape(foreign.body, 'code');
    assert.equal((await client(server.current.url).get('/view?filename=seen.png')).status, 401);
  });
});

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import sharp from 'sharp';

import { download, finish, newSubmitter, type Submitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { sendRaw, sendWithoutEnd } from '../support/raw-socket.ts';
import { onEachEngine } from '../support/servers.ts';
import {
  contentName,
  type Field,
  filesOf,
  hugePng,
  image,
  newPicture,
  pixelsOf,
  type Refusal,
  sendForm,
  type Uploaded,
  upload,
} from '../support/user-files.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const DOORS = ['', '/api'];
const MAX_BYTES = 52_428_800;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

onEachEngine('uploads', (server) => {
  let ada: Submitter;
  let bob: Submitter;
  before(async () => {
    [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
  });

  test('[FIL-1] /api/upload/image names a file after its content, and keeps it once', async () => {
    const bytes = await newPicture();
    const earlier = await filesOf(ada.api);
    const send = async (name: string) =>
      await sendForm(ada.api, '/api/upload/image', [
        ['overwrite', 'true'],
        image(bytes, name),
        ['subfolder', '../../elsewhere'],
      ]);
    const { status, body } = await send('my cat.jpeg');
    assert.equal(status, 200);
    assert.deepEqual([body.name, body.subfolder, body.type], [contentName(bytes, 'png'), '', 'input']);
    assert.match(body.asset.asset_hash, /^blake3:[0-9a-f]{64}$/);
    assert.partialDeepStrictEqual(body.asset, {
      name: 'my cat.jpeg',
      size: bytes.length,
      mime_type: 'image/png',
      tags: ['input'],
    });
    const again = await send('other.png');
    assert.deepEqual([again.body.name, again.body.asset.id], [body.name, body.asset.id]);
    assert.equal(await filesOf(ada.api), earlier + 1);
    assert.deepEqual(Buffer.from(await download(ada.api, { ...body, filename: body.name })), bytes);
  });

  for (const door of DOORS) {
    test(`[FIL-5] ${door}/upload/image takes forms only, from whom it knows`, async () => {
      const nobody = client(server.current.url);
      const form = [image(randomBytes(9), 'a.bin')];
      for (const path of [`${door}/upload/image`, `${door}/upload/mask`]) {
        const unknown = await sendForm(nobody, path, form);
        assert.equal(unknown.status, 401);
        assertShape(unknown.body, 'code');
        for (const type of ['application/json', 'image/png', 'multipart/mixed; boundary=x', 'text/plain']) {
          const headers = { 'content-type': type };
          const { status, body } = await ada.api.request('POST', path, { headers, body: '{}' });
          assert.equal(status, 415, type);
          assertShape(body, 'code');
        }
        assert.equal((await ada.api.post(path)).status, 415);
      }
    });
  }

  test('[FIL-2] type names the folder, and no other than the three', async () => {
    for (const type of ['input', 'temp', 'output', '']) {
      const body = await upload(ada.api, randomBytes(9), 'a.bin', ['type', type]);
      assert.equal(body.type, type === '' ? 'input' : type);
      assert.deepEqual(body.asset.tags, [body.type]);
      await download(ada.api, { filename: body.name, subfolder: '', type: body.type });
    }
    for (const type of ['models', 'INPUT', '../input', 'input/..', 'custom_nodes']) {
      const { status, body } = await sendForm(ada.api, '/api/upload/image', [
        image(randomBytes(9), 'a.bin'),
        ['type', type],
      ]);
      assert.equal(status, 400, type);
      assertShape(body, 'code');
    }
  });

  test('[FIL-3] the content decides what a file is, whatever its name says', async () => {
    const picture = await newPicture();
    const own = randomUUID();
    for (const [name, bytes, extension, type] of [
      ['page.html', picture, 'png', 'image/png'],
      [
        '../../../etc/passwd',
        await sharp(await newPicture())
          .jpeg()
          .toBuffer(),
        'jpg',
        'image/jpeg',
      ],
      ['moves.txt', Buffer.from(`GIF89a${own}`), 'gif', 'image/gif'],
      ['lies.png', Buffer.from(`<html><script>${own}`), 'png', 'application/octet-stream'],
      ['drawn.SVG', Buffer.from(`<svg id="${own}"/>`), 'svg', 'image/svg+xml'],
      ['a.t"xt', Buffer.from(`quoted ${own}`), 'bin', 'application/octet-stream'],
      ['none', Buffer.from(`none ${own}`), 'bin', 'application/octet-stream'],
      ['dots...', Buffer.from(`dots ${own}`), 'bin', 'application/octet-stream'],
      ['nul\u0000.png', Buffer.from(`nul ${own}`), 'png', 'application/octet-stream'],
    ] as const) {
      const { name: given, asset } = await upload(ada.api, bytes, name);
      assert.equal(given, contentName(bytes, extension), name);
      assert.equal(asset.mime_type, type, name);
      assert.doesNotMatch(asset.name, /[/\\]|\p{Cc}/u);
    }
  });

  test('[FIL-4] a file of 50 MB is taken, and not one byte more', async () => {
    const bytes = Buffer.alloc(MAX_BYTES, randomBytes(1000));
    const { asset } = await upload(ada.api, bytes, 'large.bin');
    assert.equal(asset.size, MAX_BYTES);
    assert.equal((await ada.api.delete(`/api/assets/${asset.id}`)).status, 204);
    const over = Buffer.concat([bytes, Buffer.alloc(1)]);
    const { status, body } = await sendForm(ada.api, '/api/upload/image', [image(over, 'larger.bin')]);
    assert.equal(status, 400);
    assert.match(body.message ?? '', /52428800/);
  });

  test('[FIL-4] a body of more than 64 MiB gets 413, announced or not', async () => {
    const head = (length: string) =>
      [
        'POST /api/upload/image HTTP/1.1',
        'host: x',
        `x-api-key: ${ada.key}`,
        'content-type: multipart/form-data; boundary=b',
        length,
        'connection: close',
        '\r\n',
      ].join('\r\n');
    const announced = await sendRaw(server.current.url, head(`content-length: ${MAX_BODY_BYTES + 1}`));
    assert.equal(announced?.status, 413);
    // In front of its first part a form may have anything. The length of the one chunk never comes to its end.
    const endless = `${head('transfer-encoding: chunked')}ffffffff\r\n`;
    const { answer, sentBytes } = await sendWithoutEnd(server.current.url, endless);
    assert.equal(answer?.status, 413);
    assertShape(JSON.parse(answer.body), 'code');
    assert.ok(sentBytes < 2 * MAX_BODY_BYTES);
  });

  test('[FIL-4] a picture beyond the limits is refused by its header alone', async () => {
    for (const [width, height, expected] of [
      [16_384, 4096, 200],
      [16_385, 1, 400],
      [1, 16_385, 400],
      [16_384, 4097, 400],
      [8193, 8192, 400],
      [2 ** 31 - 1, 2 ** 31 - 1, 400],
    ] as const) {
      const { status, body } = await sendForm(ada.api, '/upload/image', [
        image(hugePng(width, height), 'huge.png'),
      ]);
      assert.equal(status, expected, `${width} by ${height}`);
      if (status === 400) assert.match(body.message ?? '', new RegExp(`${width} by ${height}`));
    }
  });

  test('[FIL-5] a form that is not one file in image gets 400, and nothing is kept', async () => {
    const { api } = await newSubmitter(server.current);
    const file = image(randomBytes(50), 'a.bin');
    const many = Array.from({ length: 2000 }, (_, n): Field => [`field${n}`, 'x']);
    for (const [what, fields] of Object.entries({
      nothing: [],
      'no file': [['image', 'text']],
      'an empty one': [image(Buffer.alloc(0), 'a.png')],
      'one in another field': [['file', randomBytes(9), 'a.png']],
      two: [file, file],
      'far too many fields': [...many, file],
      'a field that is too long': [['type', 'x'.repeat(100_000)], file],
    } satisfies Record<string, readonly Field[]>)) {
      const { status, body } = await sendForm(api, '/api/upload/image', fields);
      assert.equal(status, 400, what);
      assertShape(body, 'code');
    }
    assert.equal(await filesOf(api), 0);
  });

  test('[FIL-5] a form that cannot be read gets 400, and nothing is kept', async () => {
    const { api, key } = await newSubmitter(server.current);
    const part = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.bin"\r\n\r\nxxxx';
    for (const [body, type] of [
      [part, 'multipart/form-data; boundary=b'],
      [`${part}\r\n--b`, 'multipart/form-data; boundary=b'],
      [`${part}\r\n--b--\r\n`, 'multipart/form-data'],
      [`${part}\r\n--b--\r\n`, 'multipart/form-data; boundary=other'],
      ['no form at all', 'multipart/form-data; boundary=b'],
      [`--b\r\n${'x'.repeat(300_000)}\r\n--b--\r\n`, 'multipart/form-data; boundary=b'],
      [part.replace(' filename="a.bin"', ' filename=""'), 'multipart/form-data; boundary=b'],
    ] as const) {
      const headers = { 'content-type': type };
      const answer = await api.request('POST', '/api/upload/image', { headers, body });
      assert.equal(answer.status, 400, `${type}: ${body.slice(0, 60)}`);
      assertShape(answer.body, 'code');
    }
    const hangUp = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(part)),
      pull: (controller) => controller.error(new Error('gone')),
    });
    const form = { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=b' };
    const gone = { method: 'POST', headers: form, body: hangUp, duplex: 'half' };
    await assert.rejects(fetch(`${server.current.url}/upload/image`, gone));
    assert.equal(await filesOf(api), 0);
  });

  test('[FIL-7] [HOST-23] [HOST-24] an uploaded picture is offered to its owner and loaded by a job', async () => {
    const bytes = await newPicture(7, 5);
    const { name } = await upload(ada.api, bytes, 'in.png');
    const offered = async (api: Client) => {
      const { body } = await api.get<{
        LoadImage: { input: { required: { image: [string[]] } } };
      }>('/object_info/LoadImage');
      return body.LoadImage.input.required.image[0];
    };
    assert.ok((await offered(ada.api)).includes(name));
    assert.ok(!(await offered(bob.api)).includes(name));
    for (const door of DOORS) {
      const listed = async (api: Client) => (await api.get<string[]>(`${door}/internal/files/input`)).body;
      assert.equal((await listed(ada.api))[0], `${name} [input]`);
      assert.ok(!(await listed(bob.api)).some((each) => each.includes(name)));
    }
    const workflow = {
      '1': { class_type: 'LoadImage', inputs: { image: name } },
      '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'inverted' } },
    };
    const { status, outputs } = await finish(ada.api, workflow);
    assert.equal(status, 'completed');
    const [made] = outputs['3']?.['images'] ?? [];
    assert.ok(made);
    const result = await pixelsOf(await download(ada.api, made));
    assert.deepEqual([result.width, result.height], [7, 5]);
    const source = await pixelsOf(bytes);
    assert.ok(Math.abs((source.pixels[0] ?? 0) + (result.pixels[0] ?? 0) - 255) <= 1);
    const foreign = await bob.api.post('/api/prompt', { prompt: workflow });
    assert.equal(foreign.status, 400);
  });

  test('[FIL-7] equal names of two users are two files, also where one runner runs the jobs of both', async () => {
    const workflow = (name: string) => ({
      '1': { class_type: 'LoadImage', inputs: { image: name } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'loaded' } },
    });
    const users = [
      { ...ada, color: 0xff_00_00, pixel: [255, 0, 0] },
      { ...bob, color: 0x00_00_ff, pixel: [0, 0, 255] },
    ];
    const made = [];
    for (const { api, color } of users) {
      const { outputs } = await finish(api, pictureWorkflow({ color, prefix: 'equal' }));
      made.push(outputs['2']?.['images']?.[0]?.filename);
    }
    assert.equal(made[0], made[1]);
    for (const { api, pixel } of users) {
      const { outputs } = await finish(api, workflow(`${made[0]} [output]`));
      const [file] = outputs['2']?.['images'] ?? [];
      assert.ok(file);
      assert.deepEqual((await pixelsOf(await download(api, file))).pixels.slice(0, 3), pixel);
    }
  });

  test('[FIL-10] an address takes one picture without a key, once', async () => {
    const grant = async (content_type: unknown) =>
      await ada.api.post<{ upload_path: string; expires_in: number }>('/api/inputs/upload-url', {
        content_type,
      });
    for (const type of ['text/html', 'image/svg+xml', '', 5]) assert.equal((await grant(type)).status, 400);
    const { status, body } = await grant('image/png');
    assert.equal(status, 200);
    assert.ok(body.expires_in > 0);
    const bytes = await newPicture();
    const put = async (path: string, content: Uint8Array) =>
      await client(server.current.url).request<Uploaded & Refusal>('PUT', path, { body: content });
    for (const path of [`${body.upload_path}x`, body.upload_path.slice(0, -1), '/api/uploads/x']) {
      assert.equal((await put(path, bytes)).status, 404, path);
    }
    for (const wrong of [Buffer.from('text'), hugePng(16_385, 1), await sharp(bytes).jpeg().toBuffer()]) {
      assert.equal((await put(body.upload_path, wrong)).status, 400);
    }
    const over = Buffer.alloc(MAX_BYTES + 1, bytes);
    assert.equal((await put(body.upload_path, over)).status, 413);
    const answers = await Promise.all([1, 2, 3].map(async () => await put(body.upload_path, bytes)));
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 404, 404]);
    const taken = answers.find((answer) => answer.status === 200);
    const name = contentName(bytes, 'png');
    assert.deepEqual(taken?.body, { name, subfolder: '', type: 'input' });
    await download(ada.api, { filename: name, subfolder: '', type: 'input' });
    assert.equal((await put(body.upload_path, bytes)).status, 404);
    assert.equal((await client(server.current.url).post('/api/inputs/upload-url', {})).status, 401);
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { AtelierError, createAtelier, file, loadWorkflow } from '@atelier/sdk';
import { temporaryFolder } from '@atelier/testing';

import { newClient, patience, rejection } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import { face } from '../support/test-pictures.ts';

onAnyEngine('files of the client', (server) => {
  test('[AST-21] local files in a workflow are uploaded once, by their hash, and put in place', async () => {
    const sent: string[] = [];
    const atelier = await newClient(server.current, { fetch: recording(sent) });
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'my photo "1".png');
    const bytes = await face({ width: 80, height: 60 });
    await writeFile(path, bytes);
    const workflow = loadWorkflow({
      '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
    });
    const first = await atelier.jobs.run(workflow, {
      inputs: { 'LoadImage.image': file(path) },
      signal: patience(),
    });
    assert.equal(uploadsIn(sent), 1);
    const picture = await first.outputs[0]?.blob();
    assert.equal(picture?.type, 'image/png');

    // The same bytes under other names: nothing is sent.
    for (const same of [new Blob([bytes as BlobPart]), new Uint8Array(bytes)]) {
      workflow.set('1.image', same);
      const { outputs } = await atelier.jobs.run(workflow, { signal: patience() });
      assert.equal(outputs.length, 1);
    }
    assert.equal(uploadsIn(sent), 1);
    assert.equal(workflow.get('1.image') instanceof Uint8Array, true, 'the workflow stays as it was');
    const [asset, ...others] = await atelier.assets.list({ tagsAll: ['input'] }).toArray();
    assert.deepEqual(others, []);
    const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
    const found = await atelier.assets.findByHash(`sha256:${Buffer.from(hash).toString('hex')}`);
    assert.equal(found.id, asset?.id);
  });

  test('uploads tell their progress, and downloads give back the same bytes', async () => {
    const atelier = await newClient(server.current);
    await using folder = await temporaryFolder();
    const bytes = randomBytes(3_000_000);
    await writeFile(join(folder.path, 'big.bin'), bytes);
    const loaded: number[] = [];
    const uploaded = await atelier.files.upload(file(join(folder.path, 'big.bin')), {
      onProgress: (progress) => {
        loaded.push(progress.loaded);
        assert.equal(progress.total, bytes.length);
      },
    });
    assert.equal(uploaded.isNew, true);
    assert.equal(loaded.at(-1), bytes.length);
    assert.ok(loaded.length > 2);

    const remote = atelier.files.open({ filename: uploaded.name, type: 'input' });
    const saved = await remote.saveTo(join(folder.path, 'new', 'copy.bin'));
    assert.ok((await readFile(saved)).equals(bytes));
    assert.ok(Buffer.from(await remote.download()).equals(bytes));
    let length = 0;
    for await (const chunk of remote.stream()) length += chunk.length;
    assert.equal(length, bytes.length);
    assert.ok(Buffer.from(await atelier.assets.open(uploaded.asset.id).download()).equals(bytes));
    assert.deepEqual((await readdir(folder.path)).toSorted(), ['big.bin', 'new']);
  });

  test('a download that fails leaves no file under the good name', async () => {
    const atelier = await newClient(server.current, { retries: 0 });
    await using folder = await temporaryFolder();
    const target = join(folder.path, 'missing.png');
    const missing = await rejection(atelier.files.open({ filename: 'missing.png' }).saveTo(target));
    assert.ok(missing instanceof AtelierError && missing.status === 404);

    const { name } = await atelier.files.upload(randomBytes(200_000), { name: 'noise.bin' });
    const half = await newHalf(atelier.url);
    const broken = await rejection(half.files.open({ filename: name, type: 'input' }).saveTo(target));
    assert.ok(broken instanceof AtelierError, String(broken));
    assert.deepEqual(await readdir(folder.path), []);

    await writeFile(join(folder.path, 'in-the-way'), '');
    const good = atelier.files.open({ filename: name, type: 'input' });
    const refused = await rejection(good.saveTo(join(folder.path, 'in-the-way', 'x.bin')));
    assert.ok(refused instanceof AtelierError && refused.code === 'client.file');

    /** The same server behind something that changes bytes. */
    async function newHalf(url: string) {
      const account = await atelier.keys.create({ name: 'another' });
      return createAtelier({
        url,
        apiKey: account.plaintext_key,
        retries: 0,
        fetch: async (input, init) => {
          const answer = await fetch(input, init);
          if (!new Request(input).url.includes('/files/')) return answer;
          const bytes = new Uint8Array(await answer.arrayBuffer());
          bytes[7] = (bytes[7] ?? 0) ^ 1;
          return new Response(bytes, { headers: answer.headers });
        },
      });
    }
  });

  test('a path that is not there is one sentence', async () => {
    const atelier = await newClient(server.current);
    const error = await rejection(atelier.files.upload(file('no/such/photo.jpg')));
    assert.ok(error instanceof AtelierError);
    assert.equal(error.message, '"no/such/photo.jpg" cannot be read: there is no such file or folder.');
  });

  test('links for a day take the same bytes once', async () => {
    const atelier = await newClient(server.current);
    const bytes = randomBytes(5000);
    const first = await atelier.files.share(bytes, { name: 'a.bin' });
    assert.equal(first.existing_file, false);
    const second = await atelier.files.share(bytes, { name: 'b.bin' });
    assert.equal(second.existing_file, true);
    const answer = await fetch(second.download_url);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  });

  test('assets have names, tags and notes', async () => {
    const atelier = await newClient(server.current);
    const asset = await atelier.assets.upload(await face(), {
      name: 'face.png',
      tags: ['input', 'portrait'],
      metadata: { project: 7 },
    });
    assert.equal(asset.created_new, true);
    assert.deepEqual(asset.user_metadata, { project: 7 });
    await atelier.assets.addTags(asset.id, ['keep']);
    const { total_tags } = await atelier.assets.removeTags(asset.id, ['portrait']);
    assert.deepEqual(total_tags, ['input', 'keep']);
    assert.equal((await atelier.assets.update(asset.id, { name: 'Ada' })).name, 'Ada');
    assert.equal((await atelier.assets.list({ metadata: { project: 7 } }).toArray()).length, 1);
    assert.deepEqual(await atelier.assets.countTags(), { input: 1, keep: 1 });
    assert.deepEqual((await atelier.assets.tags().toArray()).map(({ name }) => name).toSorted(), [
      'input',
      'keep',
    ]);
    await atelier.assets.delete(asset.id);
    assert.ok((await rejection(atelier.assets.get(asset.id))) instanceof AtelierError);
  });

  test('the key goes to no other origin, whatever redirects say', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('bytes');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const store = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/file`;
    const here = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: store }).end();
    });
    await new Promise<void>((resolve) => here.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(here.address() as AddressInfo).port}`;
    const atelier = createAtelier({ url, apiKey: 'secret' });
    assert.equal(await atelier.files.open({ filename: 'a.png' }).text(), 'bytes');
    assert.deepEqual(seen, ['Bearer secret', undefined]);
    elsewhere.close();
    here.close();
  });
});

function recording(sent: string[]): typeof globalThis.fetch {
  return async (input, init) => {
    sent.push(`${init?.method} ${new URL(new Request(input).url).pathname}`);
    return await fetch(input, init);
  };
}

function uploadsIn(sent: readonly string[]): number {
  return sent.filter((request) => request === 'POST /api/upload/image').length;
}

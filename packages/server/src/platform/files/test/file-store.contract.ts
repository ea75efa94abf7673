import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { blake3 } from 'hash-wasm';

import { FileMissing, type FileStore, type StoredFile } from '../file-store.ts';

export interface StoreUnderTest extends AsyncDisposable {
  readonly store: FileStore;
}

const MAX = { maxBytes: 10_000_000 };

/** What every store guarantees. `create` gives an empty store whose signed URLs can be fetched. */
export function fileStoreContract(name: string, create: () => Promise<StoreUnderTest>): void {
  void describe(`${name} keeps the contract of file stores`, () => {
    describePut(create);
    describeLocalFiles(create);
    describeOpen(create);
    describeTheRest(create);
  });
}

function describePut(create: () => Promise<StoreUnderTest>): void {
  void it('puts a stream and gives its hash, size and detected media type', async () => {
    await using under = await create();
    const content = png(200_000);
    const file = await under.store.put(Readable.from(pieces(content, 7_000)), MAX);
    assert.deepEqual(file, { hash: sha256(content), size: content.length, mediaType: 'image/png' });
    assert.deepEqual(await under.store.stat(file.hash), { size: content.length });
    assert.deepEqual(await read(under.store, file.hash), content);
  });

  void it('takes any async iterable of bytes, and a file without bytes', async () => {
    await using under = await create();
    const file = await under.store.put(fromPieces([]), MAX);
    assert.deepEqual(file, { hash: sha256(''), size: 0, mediaType: 'application/octet-stream' });
    assert.deepEqual(await under.store.stat(file.hash), { size: 0 });
    assert.equal((await read(under.store, file.hash)).length, 0);
  });

  void it('names no type for what a browser could run, nor for text', async () => {
    await using under = await create();
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml version="1.0"?><svg/>',
      '<html>',
      'text',
    ]) {
      const file = await under.store.put(fromPieces([Buffer.from(text)]), MAX);
      assert.equal(file.mediaType, 'application/octet-stream', text);
    }
  });

  void it('gives equal content one name, even if it is put repeatedly and concurrently', async () => {
    await using under = await create();
    const content = randomBytes(300_000);
    const files = await Promise.all(
      Array.from(
        { length: 8 },
        async () => await under.store.put(Readable.from(pieces(content, 9_000)), MAX),
      ),
    );
    assert.deepEqual(new Set(files.map((file) => file.hash)), new Set([sha256(content)]));
    assert.deepEqual(await read(under.store, sha256(content)), content);
  });

  void it('puts what is deleted at the same time', async () => {
    await using under = await create();
    const content = randomBytes(1_000);
    const put = async () => (await under.store.put(fromPieces([content]), MAX)).hash;
    const hash = await put();
    for (let round = 0; round < 20; round += 1) {
      const puts = [put(), put(), put(), put()];
      for (const each of puts) await Promise.all([each, under.store.delete(hash)]);
    }
    assert.equal(await put(), hash);
    assert.deepEqual(await read(under.store, hash), content);
  });

  void it('accepts exactly maxBytes and refuses one byte more', async () => {
    await using under = await create();
    const content = randomBytes(1_000);
    await under.store.put(fromPieces([content]), { maxBytes: 1_000 });
    const source = Readable.from(pieces(Buffer.concat([content, Buffer.from('!')]), 100));
    await assert.rejects(under.store.put(source, { maxBytes: 1_000 }), { code: 'file.too_large' });
    assert.equal(source.destroyed, true);
    assert.equal(await under.store.stat(sha256(Buffer.concat([content, Buffer.from('!')]))), undefined);
  });

  void it('passes on the failure of a source and stores nothing of it', async () => {
    await using under = await create();
    const content = randomBytes(1_000);
    const failing = async function* () {
      yield content;
      throw new Error('the source broke');
    };
    await assert.rejects(under.store.put(failing(), MAX), { message: 'the source broke' });
    assert.equal(await under.store.stat(sha256(content)), undefined);
  });

  void it('shows a file before it is stored, and stores only what is accepted', async () => {
    await using under = await create();
    const content = png(1_000);
    const hash = sha256(content);
    const seen: unknown[] = [];
    const accept = async (file: StoredFile) => {
      seen.push(file, await under.store.stat(hash));
      throw new Error('not wanted');
    };
    await assert.rejects(under.store.put(fromPieces([content]), { ...MAX, accept }), {
      message: 'not wanted',
    });
    assert.deepEqual(seen, [{ hash, size: content.length, mediaType: 'image/png' }, undefined]);
    assert.equal(await under.store.stat(hash), undefined);
    await under.store.put(fromPieces([content]), { ...MAX, accept: async () => {} });
    assert.deepEqual(await read(under.store, hash), content);
  });

  void it('stops at the signal, even while a source hangs', async () => {
    await using under = await create();
    const hangs = {
      stream: new Readable({ read: () => undefined }),
      generator: (async function* () {
        yield randomBytes(10);
        await new Promise(() => undefined);
      })(),
    };
    for (const source of [hangs.stream, hangs.generator]) {
      const stop = new AbortController();
      const put = under.store.put(source, { ...MAX, signal: stop.signal });
      stop.abort(new Error('enough'));
      await assert.rejects(put, { message: 'enough' });
    }
    assert.equal(hangs.stream.destroyed, true);
  });

  void it('refuses a source of anything but bytes', async () => {
    await using under = await create();
    await assert.rejects(under.store.put(Readable.from(['text']), MAX), TypeError);
  });
}

function describeLocalFiles(create: () => Promise<StoreUnderTest>): void {
  void it('takes a finished file, which stays where it is and may be replaced or removed afterwards', async () => {
    await using under = await create();
    await using folder = await temporary();
    const path = join(folder.path, 'made.png');
    const content = png(700_000);
    await writeFile(path, content);
    const expected = {
      hash: sha256(content),
      size: content.length,
      mediaType: 'image/png',
      blake3: await blake3(content),
    };
    assert.deepEqual(await under.store.putFile(path, MAX), expected);
    assert.deepEqual(await under.store.putFile(path, MAX), expected);
    assert.deepEqual(await readFile(path), content);
    await writeFile(join(folder.path, 'other'), 'other');
    await rename(join(folder.path, 'other'), path);
    assert.deepEqual(await read(under.store, expected.hash), content);
    await rm(path);
    assert.deepEqual(await read(under.store, expected.hash), content);
  });

  void it('keeps no file that is too long, not accepted, missing or a link to another', async () => {
    await using under = await create();
    await using folder = await temporary();
    const path = join(folder.path, 'made');
    const content = randomBytes(1_000);
    await writeFile(path, content);
    await symlink(path, join(folder.path, 'link'));
    const accept = async () => await Promise.reject(new Error('not wanted'));
    await assert.rejects(under.store.putFile(path, { maxBytes: 999 }), { code: 'file.too_large' });
    await assert.rejects(under.store.putFile(path, { ...MAX, accept }), { message: 'not wanted' });
    await assert.rejects(under.store.putFile(join(folder.path, 'none'), MAX), FileMissing);
    await assert.rejects(under.store.putFile(join(folder.path, 'link'), MAX), FileMissing);
    await symlink(folder.path, join(folder.path, 'folder'));
    const through = join(folder.path, 'folder', 'made');
    await assert.rejects(under.store.putFile(through, { ...MAX, within: folder.path }), FileMissing);
    assert.equal(await under.store.stat(sha256(content)), undefined);
    assert.deepEqual(await readFile(path), content);
  });

  void it('puts a file at a path, in place of what is there, where it survives a delete', async () => {
    await using under = await create();
    await using folder = await temporary();
    const path = join(folder.path, 'shown');
    const content = randomBytes(1_000);
    const { hash } = await under.store.put(fromPieces([content]), MAX);
    await writeFile(path, 'what was there');
    assert.equal(await under.store.copyTo(hash, path), true);
    assert.equal(await under.store.copyTo(hash, path), true);
    assert.deepEqual(await readFile(path), content);
    assert.equal((await under.store.putFile(path, MAX)).hash, hash);
    await under.store.delete(hash);
    assert.deepEqual(await readFile(path), content);
    assert.equal(await under.store.copyTo(hash, path), false);
    assert.deepEqual(await readFile(path), content);
  });

  void it('passes on that the folder of the path is missing', async () => {
    await using under = await create();
    await using folder = await temporary();
    const { hash } = await under.store.put(fromPieces([randomBytes(10)]), MAX);
    await assert.rejects(under.store.copyTo(hash, join(folder.path, 'none', 'shown')), { code: 'ENOENT' });
  });
}

function describeOpen(create: () => Promise<StoreUnderTest>): void {
  void it('opens ranges with an inclusive end, and clamps them to the file', async () => {
    await using under = await create();
    const content = randomBytes(1_000);
    const { hash } = await under.store.put(fromPieces([content]), MAX);
    const cases = [
      [{}, content],
      [{ start: 0, end: 0 }, content.subarray(0, 1)],
      [{ start: 10, end: 19 }, content.subarray(10, 20)],
      [{ start: 990 }, content.subarray(990)],
      [{ end: 4 }, content.subarray(0, 5)],
      [{ start: 999, end: 5_000 }, content.subarray(999)],
      [{ start: 1_000 }, Buffer.alloc(0)],
      [{ start: 4_000, end: 5_000 }, Buffer.alloc(0)],
    ] as const;
    for (const [range, expected] of cases) {
      const opened = await under.store.open(hash, range);
      assert.ok(opened);
      assert.equal(opened.size, 1_000);
      assert.deepEqual(await buffer(opened.stream), Buffer.from(expected), JSON.stringify(range));
    }
  });

  void it('refuses a range that is not a range', async () => {
    await using under = await create();
    const { hash } = await under.store.put(fromPieces([randomBytes(10)]), MAX);
    for (const range of [{ start: -1 }, { start: 5, end: 4 }, { start: 0.5 }, { end: Number.NaN }]) {
      await assert.rejects(under.store.open(hash, range), RangeError, JSON.stringify(range));
    }
  });

  void it('stops reading at the signal', async () => {
    await using under = await create();
    const { hash } = await under.store.put(fromPieces([randomBytes(1_000_000)]), MAX);
    await assert.rejects(under.store.open(hash, { signal: AbortSignal.abort() }), { name: 'AbortError' });

    const stop = new AbortController();
    const opened = await under.store.open(hash, { signal: stop.signal });
    assert.ok(opened);
    stop.abort();
    const [error] = await once(opened.stream, 'error');
    assert.equal(error.name, 'AbortError');
  });
}

function describeTheRest(create: () => Promise<StoreUnderTest>): void {
  void it('deletes once, and returns false for what is missing', async () => {
    await using under = await create();
    const content = randomBytes(100);
    const { hash } = await under.store.put(fromPieces([content]), MAX);
    assert.equal(await under.store.delete(hash), true);
    assert.equal(await under.store.delete(hash), false);
    assert.equal(await under.store.stat(hash), undefined);
    assert.equal(await under.store.open(hash), undefined);
    assert.equal((await under.store.put(fromPieces([content]), MAX)).hash, hash);
    assert.deepEqual(await read(under.store, hash), content);
  });

  void it('lets a reader finish a file that is deleted meanwhile', async () => {
    await using under = await create();
    const content = randomBytes(3_000_000);
    const { hash } = await under.store.put(fromPieces([content]), MAX);
    const opened = await under.store.open(hash);
    assert.ok(opened);
    await once(opened.stream, 'readable');
    assert.equal(await under.store.delete(hash), true);
    assert.deepEqual(await buffer(opened.stream), content);
  });

  void it('refuses a hash that is not 64 lower-case hex digits', async () => {
    await using under = await create();
    const { store } = under;
    const good = sha256('');
    const link = { name: 'a', mediaType: 'image/png', expiresAt: Date.now() + 60_000 };
    for (const hash of [
      '',
      '..',
      `../${good.slice(3)}`,
      good.toUpperCase(),
      `${good}\n`,
      good.slice(1),
      `${good}0`,
    ]) {
      await assert.rejects(store.stat(hash), TypeError, hash);
      await assert.rejects(store.open(hash), TypeError, hash);
      await assert.rejects(store.delete(hash), TypeError, hash);
      await assert.rejects(store.copyTo(hash, tmpdir()), TypeError, hash);
      await assert.rejects(store.signedUrl({ hash }, link), TypeError, hash);
    }
  });

  void it('signs a URL that gives the file to anyone, as the type and name that were signed', async () => {
    await using under = await create();
    const content = png(5_000);
    const file = await under.store.put(fromPieces([content]), MAX);
    const url = await under.store.signedUrl(file, {
      name: 'a cat.png',
      mediaType: file.mediaType,
      expiresAt: Date.now() + 60_000,
    });
    const answer = await fetch(url);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.match(String(answer.headers.get('content-disposition')), /^inline; filename="a cat\.png"/);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
  });
}

async function temporary() {
  return await mkdtempDisposable(join(tmpdir(), 'atelier-local-'));
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function png(size: number): Buffer {
  const start = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c48900000000',
    'hex',
  );
  return Buffer.concat([start, Buffer.from('IDAT'), randomBytes(size)]);
}

function pieces(content: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(content.length / size) }, (_, n) =>
    content.subarray(n * size, (n + 1) * size),
  );
}

async function* fromPieces(list: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* list;
}

async function read(store: FileStore, hash: string): Promise<Buffer> {
  const opened = await store.open(hash);
  assert.ok(opened);
  return await buffer(opened.stream);
}

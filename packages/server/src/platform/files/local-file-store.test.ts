import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs, { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { place, take } from './disk-tasks.ts';
import { createLocalFileStore } from './local-file-store.ts';
import { filesIn, startFileServer } from './test/file-server.ts';
import { fileStoreContract } from './test/file-store.contract.ts';

fileStoreContract('local file store', startFileServer);

const MAX = { maxBytes: 1_000_000 };
const signer = { sign: () => '' };

describe('local file store', () => {
  it('spreads files over two levels of folders, readable by their owner only', async () => {
    await using under = await startFileServer();
    const { hash } = await under.store.put(Readable.from([Buffer.from('abc')]), MAX);
    assert.match(hash, /^ba7816bf/);
    assert.deepEqual(await filesIn(under.folder), [join('ba', '78', hash)]);
    assert.equal((await stat(join(under.folder, 'ba', '78', hash))).mode & 0o777, 0o600);
  });

  it('leaves no temporary file after success, repetition, excess, a broken source or an abort', async () => {
    await using under = await startFileServer();
    const content = randomBytes(1_000);
    const broken = async function* () {
      yield content;
      throw new Error('broken');
    };
    const stop = new AbortController();
    const stopped = async function* () {
      yield content;
      stop.abort();
      yield content;
    };
    await under.store.put(Readable.from([content]), MAX);
    await under.store.put(Readable.from([content]), MAX);
    await assert.rejects(under.store.put(Readable.from([content]), { maxBytes: 999 }));
    await assert.rejects(under.store.put(broken(), MAX));
    await assert.rejects(under.store.put(stopped(), { ...MAX, signal: stop.signal }));
    const names = (await filesIn(under.folder)).map((path) => basename(path));
    assert.deepEqual(names, [createHash('sha256').update(content).digest('hex')]);
  });

  it('touches nothing when the content is already there', async () => {
    await using under = await startFileServer();
    const content = randomBytes(1_000);
    const { hash } = await under.store.put(Readable.from([content]), MAX);
    const path = join(under.folder, hash.slice(0, 2), hash.slice(2, 4), hash);
    const before = await stat(path, { bigint: true });
    await under.store.put(Readable.from([content]), MAX);
    const after = await stat(path, { bigint: true });
    assert.deepEqual([after.ino, after.mtimeNs, after.ctimeNs], [before.ino, before.mtimeNs, before.ctimeNs]);
  });

  it('has one read-only file with two names after putFile and copyTo', async () => {
    await using under = await startFileServer();
    const outside = join(under.folder, '..', 'outside');
    const again = join(under.folder, '..', 'again');
    await writeFile(outside, 'made by a node');
    const { hash } = await under.store.putFile(outside, MAX);
    await under.store.copyTo(hash, again);
    const path = join(under.folder, hash.slice(0, 2), hash.slice(2, 4), hash);
    const [stored, taken, given] = await Promise.all([stat(path), stat(outside), stat(again)]);
    assert.deepEqual([taken.ino, given.ino], [stored.ino, stored.ino]);
    assert.equal(stored.mode & 0o777, 0o400);
    assert.deepEqual(await filesIn(under.folder), [join(hash.slice(0, 2), hash.slice(2, 4), hash)]);
  });

  it('copies if another disk prevents linking', {
    skip: !existsSync('/dev/shm') && 'there is no second disk',
  }, async () => {
    await using under = await startFileServer();
    await using other = await mkdtempDisposable('/dev/shm/atelier-');
    const source = join(other.path, 'made');
    await writeFile(source, 'far away');
    const { hash } = await under.store.putFile(source, MAX);
    await under.store.copyTo(hash, join(other.path, 'back'));
    const path = join(under.folder, hash.slice(0, 2), hash.slice(2, 4), hash);
    assert.notEqual((await stat(path)).dev, (await stat(source)).dev);
    assert.equal(await readFile(path, 'utf8'), 'far away');
    assert.equal(await readFile(join(other.path, 'back'), 'utf8'), 'far away');
    await assert.rejects(under.store.putFile(source, { maxBytes: 7 }), { code: 'file.too_large' });
    assert.deepEqual(await filesIn(other.path), ['back', 'made']);
    assert.equal((await filesIn(under.folder)).length, 1);
  });

  it('waits for the disk only for durable files', async (test) => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
    const sync = test.mock.method(fs, 'fsyncSync');
    syncBuiltinESMExports();
    const made = join(temporary.path, 'made');
    const inner = join(temporary.path, 'ab', 'cd');
    const put = async (name: string, isDurable: boolean) => {
      const before = sync.mock.callCount();
      await writeFile(made, name);
      const from = join(temporary.path, `${name}.tmp`);
      await take({ kind: 'take', from: made, to: from, maxBytes: 100, isDurable, within: undefined });
      const syncFolders = isDurable ? [inner, temporary.path] : [];
      place({ kind: 'place', from, to: join(inner, name), aside: join(inner, 'none'), syncFolders });
      await rm(made);
      return sync.mock.callCount() - before;
    };
    assert.equal(await put('preview', false), 0);
    assert.equal(await put('output', true), 3);
    sync.mock.restore();
    syncBuiltinESMExports();
  });

  for (const [what, bytes] of [
    ['a small file', 65_536],
    ['a larger file', 65_537],
  ] as const) {
    it(`takes ${what} that need not be durable once, and refuses what is too large`, async () => {
      await using under = await startFileServer();
      const made = join(under.folder, '..', 'made');
      const content = randomBytes(bytes);
      await writeFile(made, content);
      const { hash, size } = await under.store.putFile(made, { ...MAX, isDurable: false });
      assert.equal((await under.store.putFile(made, { ...MAX, isDurable: false })).hash, hash);
      assert.equal(size, bytes);
      const name = join(hash.slice(0, 2), hash.slice(2, 4), hash);
      assert.deepEqual(await readFile(join(under.folder, name)), content);
      await assert.rejects(under.store.putFile(made, { maxBytes: bytes - 1, isDurable: false }), {
        code: 'file.too_large',
      });
      await rm(made);
      await assert.rejects(under.store.putFile(made, { ...MAX, isDurable: false }), { name: 'FileMissing' });
      assert.deepEqual(await filesIn(under.folder), [name]);
    });
  }

  it('heals a file that the disk has cut short', async () => {
    await using under = await startFileServer();
    const content = randomBytes(1_000);
    const { hash } = await under.store.put(Readable.from([content]), MAX);
    const path = join(under.folder, hash.slice(0, 2), hash.slice(2, 4), hash);
    await writeFile(path, content.subarray(0, 10));
    await under.store.put(Readable.from([content]), MAX);
    assert.deepEqual(await readFile(path), content);
  });

  it('heals a file whose bytes have changed, and sets the damaged copy aside until then', async () => {
    await using under = await damaged(1_000);
    const { content, store, hash, folder } = under;
    await assert.rejects(store.open(hash), { code: 'file.corrupt' });
    await assert.rejects(store.copyTo(hash, join(folder, '..', 'copy')), { code: 'file.corrupt' });
    assert.equal(await store.stat(hash), undefined);
    assert.deepEqual(await filesIn(folder), [join('corrupt', hash)]);
    assert.deepEqual(under.corrupt, [hash]);
    await store.put(Readable.from([content]), MAX);
    assert.deepEqual(await readFile(under.path), content);
    assert.deepEqual(await filesIn(folder), [join(hash.slice(0, 2), hash.slice(2, 4), hash)]);
  });

  it('heals a damaged file even if nobody has read it yet, and deletes one that is set aside', async () => {
    await using under = await damaged(1_000);
    const { content, store, hash } = under;
    await store.put(Readable.from([content]), MAX);
    assert.deepEqual(await readFile(under.path), content);
    await damage(under.path, 'damaged again');
    await assert.rejects(store.open(hash), { code: 'file.corrupt' });
    assert.equal(await store.delete(hash), true);
    assert.equal(await store.open(hash), undefined);
  });

  it('breaks off a large damaged file before its end, and reports it from then on', async () => {
    await using under = await damaged(3_000_000);
    const { store, hash } = under;
    const part = await store.open(hash, { start: 0, end: 9 });
    assert.equal((await buffer(part?.stream ?? Readable.from([]))).length, 10);
    const opened = await store.open(hash);
    let received = 0;
    await assert.rejects(
      async () => {
        for await (const piece of opened?.stream ?? []) received += piece.length;
      },
      { code: 'file.corrupt' },
    );
    assert.ok(received < 3_000_000);
    await assert.rejects(store.open(hash), { code: 'file.corrupt' });
  });

  it('finds damage by reading all files again, a bounded part at a time', async () => {
    await using under = await damaged(1_000);
    const sound: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      sound.push((await under.store.put(Readable.from([randomBytes(1_000)]), MAX)).hash);
    }
    for (let call = 0; call < 7; call += 1) await under.store.scrub({ maxBytes: 3_000 });
    assert.deepEqual(under.corrupt, [under.hash]);
    for (const hash of sound) assert.ok(await under.store.stat(hash));
    await assert.rejects(under.store.scrub({ maxBytes: 1, signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });

  it('removes files of crashes at its start, but none of the last hour', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
    const folder = join(temporary.path, 'tmp');
    await mkdir(folder);
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    for (const [name, age] of [
      ['old', 61],
      ['young', 59],
    ] as const) {
      await writeFile(join(folder, name), name);
      await utimes(join(folder, name), minutesAgo(age), minutesAgo(age));
    }
    await createLocalFileStore({ folder: temporary.path, signer });
    assert.deepEqual(await filesIn(temporary.path), [join('tmp', 'young')]);
  });

  it('passes on errors of the disk', async () => {
    await using under = await startFileServer();
    await rm(join(under.folder, 'tmp'), { recursive: true });
    await writeFile(join(under.folder, 'tmp'), 'in the way');
    await assert.rejects(under.store.put(Readable.from([Buffer.from('x')]), MAX), { code: 'ENOTDIR' });
    const made = join(under.folder, '..', 'made');
    await writeFile(made, 'x');
    await assert.rejects(under.store.putFile(made, MAX), { code: 'ENOTDIR' });
  });

  it('passes on a full disk and leaves nothing', { skip: process.platform !== 'linux' }, async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
    // Linux refuses further writes past the limit on file sizes, as a full disk would, here in a child.
    const script = `
      process.on('SIGXFSZ', () => undefined);
      const { createLocalFileStore } = await import(${JSON.stringify(import.meta.resolve('./local-file-store.ts'))});
      const store = await createLocalFileStore({ folder: process.argv[1], signer: { sign: () => '' } });
      const source = async function* () { for (let n = 0; n < 40; n += 1) yield Buffer.alloc(65536, n); };
      await store.put(source(), { maxBytes: 1e9 }).then(() => console.log('kept'), (error) => console.log(error.code));
    `;
    // The bound would also cut off the child's own coverage report.
    const env = { ...process.env, NODE_V8_COVERAGE: undefined };
    const limited = 'ulimit -f 100; exec "$0" --input-type=module -e "$1" "$2"';
    const child = spawn('sh', ['-c', limited, process.execPath, script, temporary.path], { env });
    const [output] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
    assert.equal(Buffer.concat(output).toString(), 'EFBIG\n');
    assert.deepEqual(await filesIn(temporary.path), []);
  });

  it('never has an incomplete file, however often the process is killed', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
    const script = join(import.meta.dirname, 'test', 'put-forever.ts');
    for (let round = 0; round < 12; round += 1) {
      const stays = round % 3 === 0;
      const child = spawn(process.execPath, [script, temporary.path, stays ? 'stay' : 'go'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let halves = 0;
      for await (const _line of createInterface(child.stdout)) {
        halves += 1;
        // A child that goes on is hit at any point of a put: writing, flushing, getting its name.
        if (halves === 3) setTimeout(() => child.kill('SIGKILL'), stays ? 0 : randomInt(30));
      }
      assert.ok(halves >= 3, 'the child ended before it was killed');
    }

    const paths = await filesIn(temporary.path);
    const kept = paths.filter((path) => !path.startsWith('tmp'));
    const left = paths.filter((path) => path.startsWith('tmp'));
    assert.ok(left.length >= 4, 'each round that stays in the middle of a put leaves its temporary file');
    assert.ok(kept.length >= 12);
    for (const path of kept) {
      const content = await readFile(join(temporary.path, path));
      assert.equal(createHash('sha256').update(content).digest('hex'), basename(path));
    }
  });
});

/** Disks tell times in steps of milliseconds, and this must not seem to be the time of the put. */
async function damage(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  await utimes(path, 0, 0);
}

/** A store with one file whose bytes the disk has changed but not their number. */
async function damaged(size: number) {
  const temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
  const folder = join(temporary.path, 'files');
  const corrupt: string[] = [];
  const store = await createLocalFileStore({ folder, signer, onCorrupt: (hash) => corrupt.push(hash) });
  const content = randomBytes(size);
  const { hash } = await store.put(Readable.from([content]), { maxBytes: size });
  const path = join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  await damage(path, randomBytes(size));
  return { store, folder, hash, path, content, corrupt, [Symbol.asyncDispose]: temporary.remove };
}

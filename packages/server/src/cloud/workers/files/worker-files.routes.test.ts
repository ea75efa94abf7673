import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';

import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { type FilesServer, startFilesServer } from '../../files/test/files-server.ts';
import { aQueue, someUsers, type TestQueue } from '../../queue/test/a-queue.ts';

const sha256 = (bytes: string | Uint8Array) => hash('sha256', bytes);
const graphWith = (...texts: readonly string[]) =>
  JSON.stringify({ 1: { class_type: 'Any', inputs: { texts } } });

const PART_BYTES = 2 ** 20;
const NEEDED = { partBytes: PART_BYTES };

interface Attempt {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly key: string;
}

onEachDatabase('files for a worker on another machine', (db) => {
  async function anAttempt(
    under: FilesServer,
    queue: TestQueue,
    userId: string,
    ...texts: readonly string[]
  ) {
    await queue.add(userId, { graph: graphWith(...texts) });
    return await begin(under, queue);
  }
  async function begin(under: FilesServer, queue: TestQueue): Promise<Attempt> {
    const job = await queue.start();
    const { path, key } = await under.workerFiles.accessTo(job);
    return { id: job.id, userId: job.userId, address: `${under.url}${path}`, key };
  }
  async function upload(under: FilesServer, userId: string, name: string, text: string): Promise<void> {
    await using staged = await under.cloud.files.stage();
    await writeFile(staged.path, text);
    await under.cloud.files.adopt(staged.path, { userId, folder: 'input', fileName: name });
  }
  async function ask(
    { address, key }: Pick<Attempt, 'address' | 'key'>,
    method: string,
    path: string,
    { query = {}, ...init }: RequestInit & { readonly query?: Readonly<Record<string, string>> } = {},
  ) {
    const answer = await fetch(`${address}${path}?${new URLSearchParams(query)}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...init,
      method,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> };
  }
  const read = async (attempt: Attempt, folder: string, name: string, receipt = '') =>
    await ask(attempt, 'GET', '/content', {
      query: { folder, name },
      headers: receipt === '' ? {} : { 'atelier-receipt': receipt },
    });
  const offer = async (attempt: Attempt, file: Readonly<Record<string, unknown>>, headers = {}) =>
    await ask(attempt, 'POST', '', {
      body: JSON.stringify({ folder: 'output', subfolder: '', ...file }),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const put = async (attempt: Attempt, text: string, query: Readonly<Record<string, string>>, headers = {}) =>
    await ask(attempt, 'PUT', '/content', {
      query: { folder: 'output', size: String(text.length), sha256: sha256(text), ...query },
      body: text,
      headers: { 'content-type': 'application/octet-stream', ...headers },
    });

  it('are read when the graph names them, and listed by name', async () => {
    await using under = await startFilesServer(db());
    const queue = await aQueue(db());
    const [ada = '', bob = ''] = await someUsers(db(), 2);
    await upload(under, ada, 'cat.png', 'the cat');
    await upload(under, ada, 'secret.png', 'the secret');
    await upload(under, bob, 'dog.png', 'the dog');
    const { output } = await under.cloud.files.foldersOf(ada);
    await writeFile(join(output, 'old.png'), 'old');
    await symlink(join(output, '..', 'input', 'secret.png'), join(output, 'link.png'));
    const attempt = await anAttempt(
      under,
      queue,
      ada,
      'cat.png',
      'dog.png',
      'old.png [output]',
      'link.png [output]',
    );

    assert.deepEqual((await read(attempt, 'input', 'cat.png')).text, 'the cat');
    assert.deepEqual((await read(attempt, 'output', 'old.png')).text, 'old');
    const facts = await ask(attempt, 'GET', '/facts', { query: { folder: 'input', name: 'cat.png' } });
    assert.deepEqual({ ...facts.body, modifiedMs: 0 }, { size: 7, sha256: sha256('the cat'), modifiedMs: 0 });
    const list = await ask(attempt, 'GET', '', { query: { folder: 'input' } });
    assert.deepEqual((list.body['names'] as string[]).toSorted(), ['cat.png', 'secret.png']);
    const one = await ask(attempt, 'GET', '', { query: { folder: 'input', name: 'secret.png' } });
    assert.deepEqual(one.body, { names: ['secret.png'] });

    for (const [folder, name] of [
      ['input', 'secret.png'],
      ['input', 'dog.png'],
      ['output', 'cat.png'],
      ['output', 'link.png'],
      ['temp', 'cat.png'],
    ] as const) {
      assert.equal((await read(attempt, folder, name)).status, 404, `${folder}/${name}`);
    }
    for (const name of ['../input/cat.png', '/etc/passwd', 'a\u0000b', '', 'x'.repeat(300)]) {
      assert.equal((await read(attempt, 'input', name)).status, 400, name);
    }
    assert.equal((await read(attempt, 'models', 'cat.png')).status, 400);
  });

  it('open only with the key of a running attempt', async () => {
    await using under = await startFilesServer(db());
    const queue = await aQueue(db());
    const [ada = ''] = await someUsers(db(), 1);
    await upload(under, ada, 'cat.png', 'the cat');
    const first = await anAttempt(under, queue, ada, 'cat.png');
    const second = await anAttempt(under, queue, ada, 'cat.png');
    const isOpen = async (attempt: Attempt) => (await read(attempt, 'input', 'cat.png')).status;
    assert.equal(await isOpen(first), 200);
    for (const key of ['', 'x', second.key, `${first.key}x`])
      assert.equal(await isOpen({ ...first, key }), 401);
    for (const address of [
      first.address.replace('/1/files', '/2/files'),
      first.address.replace('/1/files', '/no/files'),
      first.address.replace(first.id, 'other'),
    ]) {
      assert.equal(await isOpen({ ...first, address }), 401, address);
    }
    assert.equal((await put({ ...first, key: second.key }, 'text', { name: 'a.txt' })).status, 401);

    const claimed = { id: first.id, attempt: 1 };
    await queue.db.updateTable('jobs').set({ status: 'pending' }).where('id', '=', claimed.id).execute();
    assert.equal(await isOpen(first), 401, 'it was given back');
    await queue.db
      .updateTable('jobs')
      .set({ status: 'in_progress', started_at: queue.now + 1 })
      .where('id', '=', claimed.id)
      .execute();
    assert.equal(await isOpen(first), 401, 'it has begun again under the same number');
    assert.equal(await isOpen({ ...first, ...(await under.workerFiles.accessTo(claimed)) }), 200);
  });

  it('arrive completely or not at all, under a free name, and once', async () => {
    await using under = await startFilesServer(db());
    const queue = await aQueue(db());
    const [ada = '', bob = ''] = await someUsers(db(), 2);
    const attempt = await anAttempt(under, queue, ada);
    const { output } = await under.cloud.files.foldersOf(ada);
    const file = { name: 'a.txt', size: 4, sha256: sha256('text') };

    assert.deepEqual((await offer(attempt, file)).body, NEEDED, 'the bytes are needed');
    assert.equal((await put(attempt, 'text', { name: 'a.txt', subfolder: 'deep/er' })).status, 200);
    const made = await put(attempt, 'text', { name: 'a.txt' });
    assert.equal(made.status, 200);
    assert.equal(await readFile(join(output, 'a.txt'), 'utf8'), 'text');
    assert.equal(await readFile(join(output, 'deep', 'er', 'a.txt'), 'utf8'), 'text');
    assert.equal((await read(attempt, 'output', 'a.txt')).text, 'text', 'what it made may be read');

    for (const taken of [await put(attempt, 'text', { name: 'a.txt' }), await offer(attempt, file)]) {
      assert.deepEqual([taken.status, taken.body['code']], [409, 'cloud.file_exists']);
    }
    const again = { 'atelier-again': '1' };
    assert.equal((await put(attempt, 'text', { name: 'a.txt' }, again)).status, 200, 'its answer was lost');
    assert.equal((await put(attempt, 'else', { name: 'a.txt' }, again)).status, 409);
    assert.equal((await put(attempt, 'text', { name: 'b.txt', subfolder: 'a.txt' })).status, 409);

    await under.cloud.files.keep({ id: attempt.id, userId: ada }, '1', {
      texts: [{ filename: 'a.txt', subfolder: '', type: 'output' }],
    });
    const copied = await offer(attempt, { ...file, folder: 'temp', name: 'c.txt' });
    assert.equal(typeof copied.body['receipt'], 'string', 'the bytes are here');
    assert.equal((await read(attempt, 'temp', 'c.txt')).text, 'text');

    const others = await anAttempt(under, queue, bob, 'a.txt [output]');
    assert.deepEqual(
      (await offer(others, { ...file, name: 'mine.txt' })).body,
      NEEDED,
      'of another user they are not',
    );
    const next = await anAttempt(under, queue, ada);
    assert.equal((await read(next, 'output', 'a.txt')).status, 404, 'another job has made it');
    const receipt = String(made.body['receipt']);
    assert.equal((await read(next, 'output', 'a.txt', receipt)).text, 'text', 'its maker may read it');
    assert.equal((await read(next, 'temp', 'c.txt', receipt)).status, 404, 'and nothing else');
    assert.equal((await read(others, 'output', 'a.txt', receipt)).status, 404);
  });

  it('are refused when they differ from the announcement, are in other folders or exceed the quota', async () => {
    await using under = await startFilesServer(db(), { quotaBytes: 1000, maxFileBytes: 500 });
    const queue = await aQueue(db());
    const [ada = ''] = await someUsers(db(), 1);
    const attempt = await anAttempt(under, queue, ada);
    const refused = async (text: string, query: Readonly<Record<string, string>>) => {
      const { status, body } = await put(attempt, text, { name: 'a.txt', ...query });
      return [status, body['code']];
    };
    assert.deepEqual(await refused('text', { sha256: sha256('else') }), [400, 'request.invalid']);
    assert.deepEqual(await refused('text', { size: '3' }), [400, 'request.invalid']);
    assert.deepEqual(await refused('text', { size: '5' }), [400, 'request.invalid']);
    assert.deepEqual(await refused('text', { sha256: 'x' }), [400, 'request.invalid']);
    assert.deepEqual(await refused('text', { folder: 'input' }), [400, 'request.invalid']);
    for (const name of ['../a.txt', '/a.txt', '..', 'a\nb', 'x'.repeat(256)])
      assert.deepEqual(await refused('text', { name }), [400, 'request.invalid'], name);
    assert.deepEqual(await refused('text', { subfolder: '../../other' }), [400, 'request.invalid']);
    assert.deepEqual(await refused('x'.repeat(501), {}), [413, 'file.too_large']);
    const announced = await offer(attempt, { name: 'a.txt', size: 501, sha256: sha256('') });
    assert.deepEqual([announced.status, announced.body['code']], [413, 'file.too_large']);
    assert.deepEqual(await under.left('users'), []);

    for (const name of ['1', '2', '3'])
      assert.equal((await put(attempt, 'x'.repeat(500), { name })).status, 200);
    const full = [403, 'cloud.storage_full'];
    assert.deepEqual(await refused('y', {}), full, 'it has sent the quota and one file');
    const next = await anAttempt(under, queue, ada);
    assert.equal((await put(next, 'y', { name: 'y' })).status, 200, 'nothing of it was kept');
    await upload(under, ada, 'all.bin', 'z'.repeat(1000));
    const late = await offer(next, { name: 'z', size: 1, sha256: sha256('z') });
    assert.deepEqual([late.status, late.body['code']], full);
  });

  it('come in parts when they are large, and an interrupted part is sent again', async () => {
    await using under = await startFilesServer(db());
    const queue = await aQueue(db());
    const [ada = ''] = await someUsers(db(), 1);
    const attempt = await anAttempt(under, queue, ada);
    const whole = 'ab'.repeat(PART_BYTES + 5);
    const part = async (index: number, text = whole) =>
      await put(attempt, text.slice(index * PART_BYTES, (index + 1) * PART_BYTES), {
        name: 'large.txt',
        size: String(whole.length),
        sha256: sha256(whole),
        offset: String(index * PART_BYTES),
      });
    assert.equal((await part(1)).status, 400, 'the first comes first');
    assert.deepEqual((await part(0)).body, {});
    assert.equal((await part(1, whole.slice(0, -20))).status, 400, 'a short one');
    assert.deepEqual((await part(1)).body, {});
    assert.deepEqual((await part(1)).body, {}, 'the same again');
    assert.equal((await part(2, whole.slice(0, -1))).status, 400);
    const { output } = await under.cloud.files.foldersOf(ada);
    assert.deepEqual(await readdir(output), []);
    assert.equal(typeof (await part(2)).body['receipt'], 'string');
    assert.equal(await readFile(join(output, 'large.txt'), 'utf8'), whole);
    assert.equal((await under.left('users')).length, 1, 'nothing is staged');
    assert.equal((await part(2)).status, 409);
  });

  it('leave nothing behind when an upload is interrupted', async () => {
    await using under = await startFilesServer(db());
    const queue = await aQueue(db());
    const [ada = ''] = await someUsers(db(), 1);
    const attempt = await anAttempt(under, queue, ada);
    const { hostname, port, pathname } = new URL(attempt.address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const query = new URLSearchParams({
      folder: 'output',
      name: 'a.txt',
      size: '100000',
      sha256: sha256(''),
    });
    socket.write(
      `${[
        `PUT ${pathname}/content?${query} HTTP/1.1`,
        'host: x',
        `authorization: Bearer ${attempt.key}`,
        'content-type: application/octet-stream',
        'content-length: 100000',
      ].join('\r\n')}\r\n\r\n${'x'.repeat(50_000)}`,
    );
    await until(async () => (await under.left('users')).length > 0);
    socket.destroy();
    await until(async () => (await under.left('users')).length === 0);
    assert.equal((await put(attempt, 'text', { name: 'a.txt' })).status, 200);
  });
});

async function until(test: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await test())) {
    assert.ok(performance.now() < deadline, 'in time');
    await delay(10);
  }
}

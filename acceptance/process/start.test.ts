import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Bootstrap, createPostgresDatabase, shareFiles, temporaryFolder } from '@atelier/testing';

import { type BareServer, startBareServer } from '../support/bare-server.ts';
import { client } from '../support/http-client.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { onEachEngine } from '../support/servers.ts';

const OTHERS = 0o077;

onEachEngine('the first start', (server) => {
  const file = () => join(server.current.dataFolder, 'bootstrap.json');

  test('writes credentials that work, for the owner of the process alone', async () => {
    const content = JSON.parse(await readFile(file(), 'utf8')) as Record<string, string>;
    assert.deepEqual(Object.keys(content).toSorted(), ['api_key', 'email', 'password']);
    assert.equal((await stat(file())).mode & 0o777, 0o600);
    const { email = '', password = '', api_key: apiKey = '' } = content;
    assert.ok(password.length >= 16);
    assert.equal((await client(server.current.url).post('/auth/token', { email, password })).status, 200);
    const me = await client(server.current.url, { apiKey }).get('/customers/me');
    assert.equal(me.body['email'], email);
    assert.equal(me.body['role'], 'admin');
  });

  test('leaves nothing in the data folder that others may read', async () => {
    const names = ['bootstrap.json', 'server.lock'];
    for (const name of names) {
      const { mode } = await stat(join(server.current.dataFolder, name));
      assert.equal(mode & OTHERS, 0, name);
    }
  });

  test('makes its SQLite database for the owner of the process alone', async () => {
    await using folder = await temporaryFolder();
    await using _server = await startBareServer({ ATELIER_DATA_DIR: folder.path });
    assert.equal((await stat(join(folder.path, 'atelier.sqlite'))).mode & OTHERS, 0);
  });

  test('is not repeated: a restart keeps and never prints the credentials', async () => {
    const written = await readFile(file(), 'utf8');
    const { mtimeMs } = await stat(file());
    const outputs = [server.current.output()];
    await server.restart();
    outputs.push(server.current.output());
    assert.equal(await readFile(file(), 'utf8'), written);
    assert.equal((await stat(file())).mtimeMs, mtimeMs);
    const { password, api_key } = server.current.admin;
    for (const output of outputs) {
      assert.equal(output.includes(password), false);
      assert.equal(output.includes(api_key), false);
    }
    const { body } = await client(server.current.url, { apiKey: api_key }).get('/admin/users');
    assert.equal(body['total'], 1);
  });
});

describe('two servers that start at once on one empty PostgreSQL', () => {
  const parts = new AsyncDisposableStack();
  const servers: BareServer[] = [];
  const found: Bootstrap[] = [];
  const first = (): Bootstrap => {
    assert.ok(found[0]);
    return found[0];
  };

  before(async () => {
    const database = await createPostgresDatabase();
    parts.defer(database.drop);
    const folders = [parts.use(await temporaryFolder()), parts.use(await temporaryFolder())];
    const shared = parts.use(await temporaryFolder());
    for (const { path } of folders) await shareFiles(shared.path, path);
    const starts = folders.map(
      async ({ path }) =>
        await startBareServer({ ATELIER_DATA_DIR: path, ATELIER_DATABASE_URL: database.url }),
    );
    for (const server of await Promise.all(starts)) servers.push(parts.use(server));
    for (const { path } of folders) {
      const text = await readFile(join(path, 'bootstrap.json'), 'utf8').catch(() => undefined);
      if (text !== undefined) found.push(JSON.parse(text) as Bootstrap);
    }
  });
  after(async () => await parts.disposeAsync());

  const isKnownToAll = async (from: BareServer): Promise<void> => {
    const { email, password } = first();
    const { body } = await client(from.url).post('/auth/token', { email, password });
    const bearer = String(body['access_token']);
    for (const { url } of servers) {
      assert.equal((await client(url, { bearer }).get('/customers/me')).status, 200, `${from.url} at ${url}`);
    }
  };

  test('both serve, and there is one administrator', async () => {
    assert.equal(servers.length, 2);
    assert.equal(found.length, 1, 'one of them wrote the credentials');
    for (const { url } of servers) {
      const { status, body } = await client(url, { apiKey: first().api_key }).get('/admin/users');
      assert.equal(status, 200);
      assert.equal(body['total'], 1);
    }
  });

  test('a token of the one is good at the other', async () => {
    for (const server of servers) await isKnownToAll(server);
  });

  test('a token of a key that the one has just made is good at the other', async () => {
    for (const server of servers) {
      const root = client(server.url, { apiKey: first().api_key });
      assert.equal((await root.post('/admin/signing-keys/rotate')).status, 204);
      await isKnownToAll(server);
    }
  });
});

test('a server explains itself, and refuses arguments', async () => {
  await using folder = await temporaryFolder();
  const settings = { ATELIER_DATA_DIR: join(folder.path, 'data') };
  const help = await runToEnd({ settings, args: ['--help'] });
  assert.deepEqual([help.code, help.stdout.startsWith('The server takes no arguments.')], [0, true]);
  const wrong = await runToEnd({ settings, args: ['--port', '80'] });
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^atelier: The server takes no arguments\./);
  assert.deepEqual(await readdir(folder.path), []);
});

describe('too old a Node', () => {
  const sentence = /^atelier: Node 26 or newer is needed, but this is Node [\d.]+[^\n]*\n$/;

  test('is told so in one sentence', async () => {
    const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.1.0' } })`;
    const { code, stdout, stderr } = await runToEnd({ nodeOptions: ['--import', old] });
    assert.match(stderr, sentence);
    assert.match(stderr, /24\.1\.0/);
    assert.equal(stdout, '');
    assert.equal(code, 1);
  });

  test('is told so by a Node of this machine that is too old, where there is one', async () => {
    for (const node of await oldNodes()) {
      const { code, stdout, stderr } = await runToEnd({ node });
      assert.match(stderr, sentence, node);
      assert.equal(stdout, '');
      assert.equal(code, 1);
    }
  });
});

async function oldNodes(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set((process.env['PATH'] ?? '').split(':'))) {
    const node = join(folder, 'node');
    const isThere = await stat(node).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (!isThere) continue;
    const version = await new Promise<string>((resolve) => {
      execFile(node, ['--version'], (error, stdout) => resolve(error ? '' : stdout));
    });
    const major = Number(/^v(\d+)\./.exec(version)?.[1]);
    // Below 14.8 a module cannot wait at its top level, and npm of that age cannot install the packages.
    if (major >= 16 && major < 26) found.push(node);
  }
  return found;
}

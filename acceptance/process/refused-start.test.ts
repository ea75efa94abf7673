import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { createPostgresDatabase, startServer, temporaryFolder } from '@atelier/testing';
import pg from 'pg';

import { startBareServer } from '../support/bare-server.ts';
import { client } from '../support/http-client.ts';
import { newPerson } from '../support/people.ts';
import { type Ended, runToEnd } from '../support/run-to-end.ts';
import { onEachEngine } from '../support/servers.ts';

const BOOTSTRAP_NOTICE = /^The administrator's e-mail, password and API key are in .+\n/;

/** The server says why on one line, without a stack, and ends. */
function assertRefused({ code, stdout, stderr }: Ended, sentence: RegExp): void {
  const said = stderr.replace(BOOTSTRAP_NOTICE, '');
  assert.match(said, sentence);
  assert.match(said, /^atelier: [^\n]+\n$/, 'one line, no stack');
  assert.doesNotMatch(said, /node:internal|\.[jt]s:\d/);
  assert.doesNotMatch(stdout, /"level":"(error|fatal)"/);
  assert.equal(code, 1);
}

describe('a data folder that cannot be used', () => {
  test('below a regular file is refused', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, 'precious');
    assertRefused(
      await runToEnd({ settings: { ATELIER_DATA_DIR: join(file, 'data') } }),
      /data folder .+ cannot be written/,
    );
    assert.equal(await readFile(file, 'utf8'), 'precious');
  });
});

describe('a database file that is damaged', { concurrency: 2 }, () => {
  const refuses = async (damage: (file: string) => Promise<void>) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'atelier.sqlite');
    await damage(file);
    const before = hash('sha256', await readFile(file), 'hex');
    const ended = await runToEnd({ settings: { ATELIER_DATA_DIR: folder.path } });
    assertRefused(ended, /database file .+atelier\.sqlite cannot be used/);
    assert.equal(hash('sha256', await readFile(file), 'hex'), before, 'the file was changed');
    assert.equal((await readdir(folder.path)).includes('bootstrap.json'), false);
  };

  /** The file of a server that has run, with some content. */
  let real: Promise<Buffer> | undefined;
  const realDatabase = async () => {
    await using server = await startServer();
    await newPerson(server);
    await server.stop();
    return await readFile(join(server.dataFolder, 'atelier.sqlite'));
  };
  const copyOfRealDatabase = async (file: string) => {
    real ??= realDatabase();
    await writeFile(file, await real);
  };

  test('and holds garbage is refused and not touched', async () => {
    await refuses(async (file) => await writeFile(file, 'this is not a database. '.repeat(1000)));
  });

  test('and is cut off is refused and not touched', async () => {
    await refuses(async (file) => {
      await copyOfRealDatabase(file);
      await truncate(file, 5 * 4096 + 100);
    });
  });

  test('in the middle is refused and not touched', async () => {
    await refuses(async (file) => {
      await copyOfRealDatabase(file);
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(0xaa, 4 * 4096, 8 * 4096));
    });
  });

  test('for us, because it belongs to another program, is refused and its content stays', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'atelier.sqlite');
    const database = new DatabaseSync(file);
    database.exec("create table users (name text); insert into users values ('precious')");
    database.close();
    assertRefused(await runToEnd({ settings: { ATELIER_DATA_DIR: folder.path } }), /database/);
    const again = new DatabaseSync(file);
    assert.deepEqual({ ...again.prepare('select * from users').get() }, { name: 'precious' });
    again.close();
  });

  test('because it is a folder is refused', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'atelier.sqlite'));
    assertRefused(
      await runToEnd({ settings: { ATELIER_DATA_DIR: folder.path } }),
      /database file .+atelier\.sqlite cannot be used/,
    );
  });
});

describe('a PostgreSQL that cannot be used', { concurrency: 2 }, () => {
  const refuses = async (url: string, sentence: RegExp) => {
    await using folder = await temporaryFolder();
    const ended = await runToEnd({
      settings: { ATELIER_DATA_DIR: folder.path, ATELIER_DATABASE_URL: url },
    });
    assertRefused(ended, sentence);
    assert.doesNotMatch(ended.stderr, /hunter2/);
    assert.equal((await readdir(folder.path)).includes('bootstrap.json'), false);
  };

  test('because nobody answers is refused', async () => {
    await using nobody = await listening();
    const { port } = nobody;
    await nobody.close();
    await refuses(
      `postgres://ada:hunter2@127.0.0.1:${port}/atelier`,
      /PostgreSQL at 127\.0\.0\.1:\d+\/atelier/,
    );
  });

  test('because somebody listens and says nothing is refused', async () => {
    await using silent = await listening();
    await refuses(
      `postgres://ada:hunter2@127.0.0.1:${silent.port}/atelier`,
      /PostgreSQL at 127\.0\.0\.1:\d+/,
    );
  });

  test('because the password is wrong is refused, and the password is not shown', async () => {
    const database = await createPostgresDatabase();
    const url = new URL(database.url);
    url.password = 'hunter2';
    await refuses(url.href, /PostgreSQL at .+ cannot be used \(password authentication failed/);
    await database.drop();
  });

  test('because the database does not exist is refused', async () => {
    const database = await createPostgresDatabase();
    await database.drop();
    await refuses(database.url, /PostgreSQL at .+ cannot be used \(database .+ does not exist\)/);
  });
});

describe('a port that cannot be had', { concurrency: 2 }, () => {
  test('because it is taken is named', async () => {
    await using folder = await temporaryFolder();
    await using other = await listening();
    assertRefused(
      await runToEnd({ settings: { ATELIER_DATA_DIR: folder.path, ATELIER_PORT: String(other.port) } }),
      new RegExp(`Port 127\\.0\\.0\\.1:${other.port} is taken`),
    );
  });

  test('because the address is not of this machine is named', async () => {
    await using folder = await temporaryFolder();
    assertRefused(
      await runToEnd({ settings: { ATELIER_DATA_DIR: folder.path, ATELIER_HOST: '192.0.2.1' } }),
      /Cannot listen on 192\.0\.2\.1/,
    );
  });
});

onEachEngine('a second start', (server) => {
  /** The settings of a start beside, or after, the shared server's. */
  const settings = async () => ({
    ATELIER_DATA_DIR: server.current.dataFolder,
    ...(server.engine === 'postgres' ? { ATELIER_DATABASE_URL: await databaseUrl() } : {}),
  });
  const databaseUrl = async () => {
    const environment = await readFile(`/proc/${server.current.process.pid}/environ`, 'utf8');
    return /ATELIER_DATABASE_URL=([^\0]+)/.exec(environment)?.[1] ?? '';
  };

  test('on the same data folder is refused, and the first server goes on', async () => {
    assertRefused(
      await runToEnd({ settings: await settings() }),
      /Another Atelier server is using the data folder/,
    );
    assert.equal((await client(server.current.url).get('/health')).status, 200);
    await newPerson(server.current);
  });

  test('on folders without the files of the database is refused, until the operator gives them up', async () => {
    await using folder = await temporaryFolder();
    const elsewhere = { ...(await settings()), ATELIER_DATA_DIR: folder.path };
    if (server.engine === 'sqlite') {
      runOnSqlite(server.current.dataFolder, `vacuum into '${join(folder.path, 'atelier.sqlite')}'`);
    }
    const ended = await runToEnd({ settings: elsewhere });
    assertRefused(ended, /The files of this database are not in .+\/outputs, .+\/tasks, .+\/users\./);
    execFileSync('sh', ['-c', / (mkdir -p .+)$/m.exec(ended.stderr)?.[1] ?? 'false']);
    await using started = await startBareServer(elsewhere);
    assert.equal((await client(started.url).get('/health')).status, 200);
  });

  const onDatabase = (url: string | undefined) => async (statement: string) =>
    url === undefined
      ? runOnSqlite(server.current.dataFolder, statement)
      : await runOnPostgres(url, statement);

  test('[ADM-39] of an older program on a newer database is refused, and the data stays', async () => {
    const { email } = await newPerson(server.current);
    const again = await settings();
    const run = onDatabase(again.ATELIER_DATABASE_URL);
    await server.current.stop();

    await run(`insert into migrations (name, timestamp) values ('9999-from-the-future', '2999-01-01')`);
    assertRefused(await runToEnd({ settings: again }), /newer Atelier .+9999-from-the-future/);
    await run(`delete from migrations where name = '9999-from-the-future'`);
    const rows = await run(`select email from users where email = '${email}'`);
    assert.deepEqual(rows, [{ email }]);
  });

  test('[ADM-39] of a newer program is refused while one of an older version uses the tables', async () => {
    if (server.engine === 'sqlite') return;
    await server.restart();
    const again = await settings();
    const run = onDatabase(again.ATELIER_DATABASE_URL);
    const [last] = await run('select name, timestamp from migrations order by name desc limit 1');
    const { name, timestamp } = last as { name: string; timestamp: string };
    // As if this program were one migration ahead of the server that runs.
    await run(`delete from migrations where name = '${name}'`);
    await using folder = await temporaryFolder();
    assertRefused(
      await runToEnd({ settings: { ...again, ATELIER_DATA_DIR: folder.path } }),
      /changes the tables of the database, and a server of an older version still uses them\. Stop all of those first\./,
    );
    await run(`insert into migrations (name, timestamp) values ('${name}', '${timestamp}')`);
    assert.equal((await client(server.current.url).get('/health')).status, 200);
  });

  test('on a database whose migrations were not the ones of this program is refused', async () => {
    await server.restart();
    const again = await settings();
    const run = onDatabase(again.ATELIER_DATABASE_URL);
    await server.current.stop();

    const [kept] = await run(`select checksum from migration_checksums where name = '0008-proxy'`);
    await run(`update migration_checksums set checksum = 'another' where name = '0008-proxy'`);
    assertRefused(await runToEnd({ settings: again }), /edition of migration 0008-proxy/);
    await run(
      `update migration_checksums set checksum = '${Object.values(kept ?? {})[0]}' where name = '0008-proxy'`,
    );

    // A database from before checksums were kept, made by an early 0008-proxy.
    await run('drop table migration_checksums');
    await run('drop index tasks_due');
    await run('alter table tasks rename column stage to state_of_work');
    assertRefused(await runToEnd({ settings: again }), /column tasks\.stage is missing/);
    await run('alter table tasks rename column state_of_work to stage');
    await using started = await startBareServer(again);
    assert.equal((await client(started.url).get('/health')).status, 200);
  });
});

function runOnSqlite(folder: string, statement: string): object[] {
  const database = new DatabaseSync(join(folder, 'atelier.sqlite'));
  const rows = database.prepare(statement).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

async function runOnPostgres(url: string, statement: string): Promise<object[]> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  const { rows } = await connection.query<object>(statement);
  await connection.end();
  return rows;
}

interface Listening extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

/** Somebody else who has a port, and says nothing. */
async function listening(): Promise<Listening> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  const sockets = new Set<{ destroy(): void }>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, close, [Symbol.asyncDispose]: close };
}

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPostgresDatabase, temporaryFolder } from '@atelier/testing';
import { Kysely, type Migration, sql } from 'kysely';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { Secret } from '../secret.ts';
import { StartError } from '../start-error.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openPostgres, openSqlite } from './open-database.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

const fails: Migration = {
  async up(db) {
    await sql`create table half_done (id integer)`.execute(db);
    throw new Error('disk on fire');
  },
};

onEachDatabase('migrations', (db) => {
  it('change nothing when the schema is up to date', async () => {
    await migrate(db(), MIGRATIONS);
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db());
    assert.deepEqual(
      rows.map((row) => row.name),
      Object.keys(MIGRATIONS),
    );
  });

  it('leave nothing half done when one fails, and say which', async () => {
    const failing = migrate(db(), { ...MIGRATIONS, '9000-fails': fails });
    await assert.rejects(failing, (error) => error instanceof StartError && /9000-fails/.test(error.message));
    await assert.rejects(sql`select * from half_done`.execute(db()));
  });

  it('refuse a database that a newer program has changed', async () => {
    const later: Migration = { up: async () => {} };
    await migrate(db(), { ...MIGRATIONS, '9001-from-the-future': later });
    const refused = migrate(db(), MIGRATIONS);
    await assert.rejects(
      refused,
      (error) => error instanceof StartError && /newer Atelier.*9001-from-the-future/.test(error.message),
    );
    await sql`delete from migrations where name = '9001-from-the-future'`.execute(db());
  });

  it('are numbered in order without gaps', () => {
    const numbers = Object.keys(MIGRATIONS).map((name) => Number(name.slice(0, 4)));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  });
});

describe('opening a database', () => {
  it('lets several servers start at once on one empty PostgreSQL', async () => {
    const database = await createPostgresDatabase();
    const url = new Secret(database.url);
    const opened = await Promise.all(
      Array.from({ length: 4 }, async () => await openPostgres({ url, poolSize: 2, onLost: () => {} })),
    );
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(
      opened[0] ?? assert.fail(),
    );
    assert.equal(rows.length, Object.keys(MIGRATIONS).length);
    await Promise.all(opened.map(async (db) => await db.destroy()));
    await database.drop();
  });

  it('adds what is new to a database of the version before and keeps its rows', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'atelier.sqlite');
    const first = Object.fromEntries(Object.entries(MIGRATIONS).slice(0, 1));
    const old = new Kysely<never>({ dialect: createSqliteDialect(file) });
    await migrate(old, first);
    await sql`insert into server_secrets (name, value, created_at) values ('kept', x'00', 1)`.execute(old);
    await old.destroy();

    const db = await openSqlite(file);
    const kept = await db.selectFrom('server_secrets').select('name').execute();
    assert.deepEqual(
      kept.map((row) => row.name),
      ['kept'],
    );
    await db.destroy();
  });

  it('names host and database, but not the password, when PostgreSQL does not answer', async () => {
    const url = new Secret('postgres://me:hunter2@127.0.0.1:9/atelier');
    await assert.rejects(openPostgres({ url, poolSize: 2, onLost: () => {} }), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /127\.0\.0\.1:9\/atelier/);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  });
});

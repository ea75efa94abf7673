import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPostgresDatabase, temporaryFolder } from '@atelier/testing';
import { Kysely, type Migration, sql } from 'kysely';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { Secret } from '../secret.ts';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { CHECKSUMS } from './migrations/checksums.ts';
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

  it('leave nothing half done when one fails, and name it', async () => {
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

onEachDatabase('a database of other migrations', (db) => {
  const isRefused = (sentence: RegExp) => (error: unknown) =>
    error instanceof StartError && sentence.test(error.message);
  const recorded = async () =>
    await db().selectFrom('migration_checksums').selectAll().orderBy('name').execute();
  const forget = async () => await sql`drop table migration_checksums`.execute(db());

  it('keeps the checksums of what made it', async () => {
    assert.deepEqual(
      Object.fromEntries((await recorded()).map((row) => [row.name, row.checksum])),
      CHECKSUMS,
    );
  });

  it('[ADM-39] is refused when a migration was edited after it was applied', async () => {
    const edited = { ...CHECKSUMS, '0008-proxy': hash('sha256', 'edited') };
    await assert.rejects(migrate(db(), MIGRATIONS, edited), isRefused(/edition of migration 0008-proxy/));
    await migrate(db(), MIGRATIONS);
  });

  it('without checksums gets them when its tables are those of the migrations', async () => {
    const all = await recorded();
    await forget();
    await migrate(db(), MIGRATIONS);
    assert.deepEqual(await recorded(), all);
  });

  it('[ADM-39] without checksums is refused when it lacks a column or a table, and is not changed', async () => {
    await forget();
    await sql`alter table tasks rename column stage to step`.execute(db());
    await assert.rejects(migrate(db(), MIGRATIONS), isRefused(/column tasks\.stage is missing/));
    await sql`alter table tasks rename to other_tasks`.execute(db());
    await assert.rejects(migrate(db(), MIGRATIONS), isRefused(/table tasks is missing/));
    await assert.rejects(recorded());
  });
});

describe('the files of migrations', () => {
  it('are never edited: add a new one instead', async () => {
    const found = Object.keys(MIGRATIONS).map(async (name) => {
      const text = await readFile(join(import.meta.dirname, 'migrations', `${name}.ts`), 'utf8');
      return [name, hash('sha256', text.replaceAll('\r\n', '\n'))] as const;
    });
    assert.deepEqual(Object.fromEntries(await Promise.all(found)), CHECKSUMS);
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

  it('upgrades a database of the previous version and keeps its rows', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'atelier.sqlite');
    const first = Object.fromEntries(Object.entries(MIGRATIONS).slice(0, 1));
    const old = new Kysely<Database>({ dialect: createSqliteDialect(file) });
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

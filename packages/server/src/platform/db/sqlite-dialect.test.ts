import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';
import { type Generated, Kysely, sql } from 'kysely';

import { createSqliteDialect } from './sqlite-dialect.ts';

interface Notes {
  notes: { id: Generated<number>; text: string };
}

describe('the SQLite dialect', () => {
  let folder: TemporaryFolder;
  let db: Kysely<Notes>;
  before(async () => {
    folder = await temporaryFolder();
    db = new Kysely<Notes>({ dialect: createSqliteDialect(join(folder.path, 'notes.sqlite')) });
    await sql`create table notes (id integer primary key, text text not null)`.execute(db);
  });
  after(async () => {
    await db.destroy();
    await folder[Symbol.asyncDispose]();
  });

  const count = async () => (await db.selectFrom('notes').selectAll().execute()).length;
  const write = async (text: string, on: Kysely<Notes> = db) =>
    await on.insertInto('notes').values({ text }).execute();

  it('keeps the journal in WAL mode', async () => {
    const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
    assert.equal(rows[0]?.journal_mode, 'wal');
  });

  it('shows readers the last commit while a transaction is open, without making them wait', async () => {
    const atFirst = await count();
    await db.transaction().execute(async (tx) => {
      await write('not yet', tx);
      assert.equal(await count(), atFirst);
    });
    assert.equal(await count(), atFirst + 1);
  });

  it('keeps nothing of a transaction that fails', async () => {
    const atFirst = await count();
    const failing = db.transaction().execute(async (tx) => {
      await write('never', tx);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal(await count(), atFirst);
  });

  it('keeps writes outside of a transaction out of it', async () => {
    const atFirst = await count();
    let outside: Promise<unknown> | undefined;
    const failing = db.transaction().execute(async (tx) => {
      await write('inside', tx);
      outside = write('outside');
      await Promise.resolve();
      throw new Error('undo the inside');
    });
    await assert.rejects(failing, /undo the inside/);
    await outside;
    assert.equal(await count(), atFirst + 1);
  });

  it('runs a hundred transactions that read and then write one after another', async () => {
    await db.insertInto('notes').values({ id: 1000, text: '0' }).execute();
    const increments = Array.from({ length: 100 }, async () => {
      await db.transaction().execute(async (tx) => {
        const { text } = await tx
          .selectFrom('notes')
          .select('text')
          .where('id', '=', 1000)
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('notes')
          .set({ text: String(Number(text) + 1) })
          .where('id', '=', 1000)
          .execute();
      });
    });
    await Promise.all(increments);
    const { text } = await db
      .selectFrom('notes')
      .select('text')
      .where('id', '=', 1000)
      .executeTakeFirstOrThrow();
    assert.equal(text, '100');
  });

  it('keeps working past the number of statements it remembers', async () => {
    for (let n = 0; n < 600; n += 1) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(n)} as n`.execute(db);
      assert.equal(rows[0]?.n, n);
    }
  });

  it('continues after a row id that no number can represent', async () => {
    await sql`insert into notes (id, text) values (9009535716950016, 'far')`.execute(db);
    await db.transaction().execute(async (tx) => await write('after', tx));
    await db.deleteFrom('notes').where('text', '=', 'far').execute();
  });

  it('streams rows while other queries run in between', async () => {
    await db.deleteFrom('notes').execute();
    for (const text of ['a', 'b', 'c']) await write(text);
    const seen: string[] = [];
    for await (const { text } of db.selectFrom('notes').selectAll().orderBy('id').stream()) {
      seen.push(text);
      assert.equal(await count(), 3);
    }
    assert.deepEqual(seen, ['a', 'b', 'c']);
  });
});

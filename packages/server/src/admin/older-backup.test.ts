import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { createPostgresDatabase, temporaryFolder } from '@atelier/testing';
import { Kysely, sql } from 'kysely';

import type { Database, Db } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { MIGRATIONS } from '../platform/db/migrations/index.ts';
import { openPostgres, openSqlite } from '../platform/db/open-database.ts';
import { insertServerValue } from '../platform/db/server-secrets.repo.ts';
import { createSqliteDialect } from '../platform/db/sqlite-dialect.ts';
import { FILES_MARK, writeFolderMark } from '../platform/files/mark-folders.ts';
import { Secret } from '../platform/secret.ts';
import { MARKED_FOLDERS } from './installation.ts';

const ADMIN = join(import.meta.dirname, '../admin.ts');
const LAST = '0015-job-timelines';
const BYTES = Buffer.from([0, 1, 255, 10]);
/** More than two inserts take. The counter is higher. */
const ROWS = 250;

async function admin(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [ADMIN, ...args], {
    env: settings,
    cwd: settings['ATELIER_DATA_DIR'],
  });
}

/** An installation as an older program left it. */
async function makeOld(dataFolder: string): Promise<void> {
  for (const name of MARKED_FOLDERS) await writeFolderMark(join(dataFolder, name), 'the-mark');
  const db = new Kysely<Database>({ dialect: createSqliteDialect(join(dataFolder, 'atelier.sqlite')) });
  const older = Object.entries(MIGRATIONS).filter(([name]) => name <= LAST);
  await migrate(db, Object.fromEntries(older));
  await insertServerValue(db, { name: FILES_MARK, value: Buffer.from('the-mark'), now: 1 });
  await insertServerValue(db, { name: 'odd', value: BYTES, now: 2 ** 53 - 1 });
  await db
    .insertInto('audit_entries')
    .values(
      Array.from({ length: ROWS + 1 }, (_, n) => ({
        at: n,
        actor: '“é” \u{1F98A}\n',
        action: '',
        subject: `s${n}`,
        details: '{}',
      })),
    )
    .execute();
  await sql`delete from audit_entries where seq = ${ROWS + 1}`.execute(db);
  await db.destroy();
}

async function assertCame(db: Db): Promise<void> {
  const names = await db.selectFrom('migrations').select('name').execute();
  assert.deepEqual(names.map(({ name }) => name).toSorted(), Object.keys(MIGRATIONS));
  const odd = await db
    .selectFrom('server_secrets')
    .selectAll()
    .where('name', '=', 'odd')
    .executeTakeFirstOrThrow();
  assert.deepEqual([Buffer.from(odd.value), odd.created_at], [BYTES, 2 ** 53 - 1]);
  const entry = { at: 0, actor: 'x', action: '', subject: '', details: '{}' };
  const { seq } = await db
    .insertInto('audit_entries')
    .values(entry)
    .returning('seq')
    .executeTakeFirstOrThrow();
  assert.equal(seq, ROWS + 2, 'no number is given twice');
  const first = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('seq', '=', 1)
    .executeTakeFirstOrThrow();
  assert.equal(first.actor, '“é” \u{1F98A}\n');
  await db.destroy();
}

it('[ADM-31] a backup of older tables does not change them, and is restored upgraded, on both engines', async () => {
  await using folder = await temporaryFolder();
  await using ending = new AsyncDisposableStack();
  const database = await createPostgresDatabase();
  ending.defer(async () => await database.drop());
  const at = (name: string) => join(folder.path, name);
  for (const name of ['old', 'new', 'other']) await mkdir(at(name));
  await makeOld(at('old'));
  await admin({ ATELIER_DATA_DIR: at('old') }, 'backup', '--to', at('backup'));
  await admin({ ATELIER_DATA_DIR: at('new') }, 'restore', '--from', at('backup'));
  await assertCame(await openSqlite(join(at('new'), 'atelier.sqlite')));
  const { url } = database;
  await admin(
    { ATELIER_DATA_DIR: at('other'), ATELIER_DATABASE_URL: url },
    'restore',
    '--from',
    at('backup'),
  );
  assert.equal(existsSync(join(at('other'), 'atelier.sqlite')), false);
  await assertCame(await openPostgres({ url: new Secret(url), poolSize: 1, onLost: () => {} }));
  const old = new DatabaseSync(join(at('old'), 'atelier.sqlite'), { readOnly: true });
  const newest = old.prepare('select max(name) as name from migrations').get();
  old.close();
  assert.equal(newest?.['name'], LAST, 'nothing was upgraded by looking at it');
});

import { existsSync } from 'node:fs';

import type { Config } from '../../config/load-config.ts';
import { createMigrationTables } from '../../platform/db/transfer/load-tables.ts';
import { openSqliteSnapshot, type Snapshot } from '../../platform/db/transfer/open-snapshot.ts';
import { readCounter, selectAll } from '../../platform/db/transfer/read-snapshot.ts';
import { Secret } from '../../platform/secret.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { assertEmptyPostgres } from '../empty-target.ts';
import { fillDatabase, openAsIs } from '../fill-database.ts';
import {
  assertNoServers,
  type DatabaseContent,
  holdDatabase,
  holdDataFolder,
  readContent,
  sqliteFileOf,
} from '../installation.ts';
import { readArgs } from '../read-args.ts';

export const command: AdminCommand = {
  usage: '--to postgres://USER:PASSWORD@HOST/DATABASE',
  help: `Copies the SQLite database of the data folder to an empty PostgreSQL database, all of it or nothing. Stop the server first. Files stay where
they are. The SQLite file is not changed; the server uses PostgreSQL once ATELIER_DATABASE_URL is set.`,
  async run({ args, readConfig, signal }) {
    const { to } = readArgs(args, [], { to: { type: 'string' } }).values;
    if (to === undefined) throw new BadUse();
    if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
      throw new BadUse(
        '--to is the address of a PostgreSQL database, such as postgres://atelier:password@db.example.com/atelier.',
      );
    const config = readConfig();
    if (config.database.url)
      throw new BadUse(
        'ATELIER_DATABASE_URL is set, so the database of this installation is not SQLite. Unset it to move the one in ATELIER_DATA_DIR.',
      );
    await moveDatabase(config, new Secret(to), signal);
  },
};

async function moveDatabase(config: Config, url: Secret, signal: AbortSignal): Promise<void> {
  const file = sqliteFileOf(config);
  if (!existsSync(file)) throw new CommandFailed(`There is no database ${file}. Set ATELIER_DATA_DIR.`);
  using _folder = await holdDataFolder(config);
  await using source = openSqliteSnapshot(file);
  const content = await readContent(source);
  await using _database = await holdDatabase(url, '--to');
  await assertEmptyPostgres(url);
  await using db = openAsIs(url);
  await assertNoServers(db);
  await createMigrationTables(db);
  await fillDatabase(db, {
    migrations: content.migrations.map(({ name }) => name),
    tables: tablesOf(source, content, signal),
  });
  say(
    `The database was copied. Set ATELIER_DATABASE_URL to this address before the next start; the files stay in their place.\n${file} was not changed. Move it away when all is well, so that no server starts on it by mistake.`,
  );
}

async function* tablesOf(source: Snapshot, { layouts }: DatabaseContent, signal: AbortSignal) {
  for (const { name, columns, hasCounter } of layouts) {
    const names = columns.map((column) => column.name);
    const rows = untilAborted(source.rows(selectAll(name, names)), signal);
    const counter = hasCounter ? await readCounter(source, name) : undefined;
    yield { name, columns: names, rows, count: await countRows(source, name), counter };
  }
}

async function* untilAborted<T>(rows: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const row of rows) {
    signal.throwIfAborted();
    yield row;
  }
}

async function countRows(source: Snapshot, table: string): Promise<number> {
  for await (const [count] of source.rows(`select count(*) from "${table}"`)) return Number(count);
  throw new Error('count(*) returned no row.');
}

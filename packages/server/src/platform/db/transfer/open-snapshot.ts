import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

import type { Secret } from '../../secret.ts';
import type { Engine } from '../database.ts';
import { postgresUnusable, sqliteUnusable } from '../open-database.ts';
import { connectPostgres } from './connect-postgres.ts';
import type { Cell, Row } from './row-lines.ts';

/** The database at one moment, whatever is written meanwhile. Does not block servers. */
export interface Snapshot extends AsyncDisposable {
  readonly engine: Engine;
  /** Parameters are `$1` for both engines. Only a part of the rows is in memory at a time. */
  rows(sql: string, parameters?: readonly string[]): AsyncGenerator<Row>;
}

/** The file must exist. */
export function openSqliteSnapshot(file: string): Snapshot {
  const database = openReadOnly(file);
  return {
    engine: 'sqlite',
    async *rows(sql, parameters = []) {
      try {
        const statement = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
        statement.setReturnArrays(true);
        statement.setReadBigInts(true);
        const found = statement.iterate(...parameters) as unknown as Iterable<Cell[]>;
        for (const row of found) yield row.map(toNumber);
      } catch (error) {
        throw isSqliteError(error) ? sqliteUnusable(file, error) : error;
      }
    },
    async [Symbol.asyncDispose]() {
      if (database.isOpen) database.close();
      await Promise.resolve();
    },
  };
}

function openReadOnly(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    // The first read determines the snapshot.
    database.exec('begin');
    database.prepare('select count(*) from sqlite_schema').get();
    return database;
  } catch (error) {
    throw sqliteUnusable(file, error);
  }
}

const INT8 = 20;
const BYTEA = 17;
const FIRST_ROWS = 4;
const MAX_ROWS = 500;
/** Rows with bytes have up to 10 MB each, and large ones may follow small ones. */
const MAX_ROWS_WITH_BYTES = 8;
/** The number of rows in a fetch depends on the size of the last ones. */
const WANTED_BYTES = 4 * 2 ** 20;

export async function openPostgresSnapshot(url: Secret): Promise<Snapshot> {
  const client = await connectPostgres(url, {
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format),
    },
  });
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    // The first read determines the snapshot.
    await client.query('select count(*) from pg_class');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw postgresUnusable(url, error);
  }
  const ask = async (text: string, values: readonly string[] = []) => {
    try {
      return await client.query<Cell[]>({ text, values: [...values], rowMode: 'array' });
    } catch (error) {
      throw postgresUnusable(url, error);
    }
  };
  let cursors = 0;
  return {
    engine: 'postgres',
    async *rows(sql, parameters = []) {
      cursors += 1;
      const cursor = `atelier_${cursors}`;
      await ask(`declare ${cursor} no scroll cursor for ${sql}`, parameters);
      let wanted = FIRST_ROWS;
      for (;;) {
        const { rows, fields } = await ask(`fetch ${wanted} from ${cursor}`);
        for (const row of rows) yield row.map(toNumber);
        if (rows.length < wanted) break;
        const bytes = rows.flat().reduce((sum: number, cell) => sum + sizeOf(cell), 1);
        const most = fields.some(({ dataTypeID }) => dataTypeID === BYTEA) ? MAX_ROWS_WITH_BYTES : MAX_ROWS;
        const fitting = Math.floor((rows.length * WANTED_BYTES) / bytes);
        wanted = Math.max(1, Math.min(most, wanted * 4, fitting));
      }
      await ask(`close ${cursor}`);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}

function toNumber(cell: Cell): Cell {
  if (typeof cell !== 'bigint') return cell;
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : cell;
}

function sizeOf(cell: Cell): number {
  return cell === null || typeof cell === 'number' || typeof cell === 'bigint' ? 8 : cell.length;
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error;
}

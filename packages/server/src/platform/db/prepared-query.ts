import type { Compilable, CompiledQuery } from 'kysely';

import { type Db, type Engine, engineOf } from './database.ts';
import { nameStatement } from './postgres-dialect.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';
import { writtenTables } from './written-tables.ts';

type Values<V> = { readonly [Name in keyof V]: string | number | null | Uint8Array };

interface Prepared<Row> {
  readonly query: CompiledQuery<Row>;
  readonly isRead: boolean;
  readonly written: ReturnType<typeof writtenTables>;
  /** The name of each parameter's value; `undefined` for constants of the query. */
  readonly names: readonly (string | undefined)[];
}

/** Stands for a value while the query is built. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Allows synchronous writes on SQLite: within `writeTogether`, or in a transaction (`writingIn`). */
export interface Writing {
  readonly db: Db;
  readonly adapter: SqliteFileAdapter;
}

interface PreparedQuery<V, Row> {
  (db: Db, values: V): Promise<Row[]>;
  /** Synchronous. */
  now(writing: Writing, values: V): Row[];
  /**
   * The same for an insert without `returning`: the number of the new row, or `undefined` when nothing was written. With
   * `returning` SQLite takes three times as long.
   */
  insertNow(writing: Writing, values: V): number | undefined;
}

/**
 * A query that is built and compiled once per engine. For what every request needs: building and compiling costs three times as
 * much as a read on SQLite (19 against 6 µs for an API key), and PostgreSQL runs a claim and its end 2.3 times as often without
 * planning them again. Results of writes come from `returning`.
 */
export function prepareQuery<V extends Values<V>, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): PreparedQuery<V, Row> {
  const prepared = new Map<Engine, Prepared<Row>>();
  const places = new Proxy({} as V, { get: (_target, name) => new Place(String(name)) });

  const prepare = (db: Db, engine: Engine): Prepared<Row> => {
    const query = build(db, places).compile();
    const names = query.parameters.map((value) => (value instanceof Place ? value.name : undefined));
    nameStatement(query.sql);
    const isRead = query.query.kind === 'SelectQueryNode';
    const made = { query, isRead, written: writtenTables(query.query), names };
    prepared.set(engine, made);
    return made;
  };

  const run = async (db: Db, values: V): Promise<Row[]> => {
    const { adapter } = db.getExecutor();
    if (!(adapter instanceof SqliteFileAdapter)) {
      const engine = engineOf(db);
      const known = prepared.get(engine) ?? prepare(db, engine);
      return (await db.executeQuery(filled(known, fill(known, values)))).rows;
    }
    const known = prepared.get('sqlite') ?? prepare(db, 'sqlite');
    const parameters = fill(known, values);
    if (db.isTransaction) return adapter.runInTransaction<Row>(step(known, parameters));
    if (known.isRead) return adapter.read<Row>(known.query.sql, parameters);
    return (await db.executeQuery(filled(known, parameters))).rows;
  };

  const stepOf = (db: Db, values: V) => {
    const known = prepared.get('sqlite') ?? prepare(db, 'sqlite');
    return step(known, fill(known, values));
  };

  return Object.assign(run, {
    now: ({ db, adapter }: Writing, values: V) => adapter.runInTransaction<Row>(stepOf(db, values)),
    insertNow: ({ db, adapter }: Writing, values: V) => adapter.insertInTransaction(stepOf(db, values)),
  });
}

function step<Row>({ query: { sql }, written }: Prepared<Row>, parameters: readonly unknown[]) {
  return { sql, parameters, written };
}

function filled<Row>({ query }: Prepared<Row>, parameters: readonly unknown[]): CompiledQuery<Row> {
  return { ...query, parameters };
}

function fill<Row>({ query, names }: Prepared<Row>, values: object): unknown[] {
  const byName = values as Readonly<Record<string, unknown>>;
  return names.map((name, index) => (name === undefined ? query.parameters[index] : byName[name]));
}

/**
 * Synchronous writes on SQLite: all of them or, when `work` throws, none. Those of one turn of the event loop share a commit, which
 * is several times as fast as transactions. `work` must only write, because it may run again when another one fails.
 */
export async function writeTogether<T>(db: Db, work: (writing: Writing) => T): Promise<T> {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof SqliteFileAdapter) || db.isTransaction) {
    throw new Error('Only SQLite has synchronous writes, outside of transactions.');
  }
  return await adapter.together(() => work({ db, adapter }));
}

/** The same within an open transaction on SQLite. */
export function writingIn(tx: Db): Writing {
  const { adapter } = tx.getExecutor();
  if (!(adapter instanceof SqliteFileAdapter) || !tx.isTransaction)
    throw new Error('Only a transaction on SQLite has synchronous writes.');
  return { db: tx, adapter };
}

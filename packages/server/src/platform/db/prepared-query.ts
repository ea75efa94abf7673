import type { Compilable, CompiledQuery } from 'kysely';

import { type Db, type Engine, engineOf } from './database.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';

type Values = Readonly<Record<string, string | number>>;

interface Prepared<Row> {
  readonly query: CompiledQuery<Row>;
  /** For each parameter the value that takes its place, or `undefined` where the query itself has a constant. */
  readonly names: readonly (string | undefined)[];
}

/** Marks the place of a value while a query is built. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A read that is built and compiled once for each engine and afterwards only run. For what every request needs:
 * building and compiling costs three to four times what the read itself does (19 against 6 µs for an API key).
 */
export function prepareQuery<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const prepared = new Map<Engine, Prepared<Row>>();
  const places = new Proxy({} as V, { get: (_target, name) => new Place(String(name)) });

  const prepare = (db: Db): Prepared<Row> => {
    const query = build(db, places).compile();
    const names = query.parameters.map((value) => (value instanceof Place ? value.name : undefined));
    return { query, names };
  };

  return async (db, values) => {
    const engine = engineOf(db);
    const known = prepared.get(engine) ?? prepare(db);
    prepared.set(engine, known);
    const { query, names } = known;
    const parameters = names.map((name, index) =>
      name === undefined ? query.parameters[index] : values[name],
    );
    const filled: CompiledQuery<Row> = { ...query, parameters };
    const { adapter } = db.getExecutor();
    if (adapter instanceof SqliteFileAdapter && !db.isTransaction) return adapter.read(filled);
    return (await db.executeQuery(filled)).rows;
  };
}

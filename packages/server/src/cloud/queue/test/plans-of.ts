import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';

import { type Db, engineOf, withTransaction } from '../../../platform/db/database.ts';
import { type Writing, writingIn } from '../../../platform/db/prepared-query.ts';

/** What slow reads set for themselves on PostgreSQL. */
const IS_SETTING = /^select set_config/;

/** How the engine goes about the statements that `work` runs on the handle it is given. */
export async function plansOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string> {
  const seen: CompiledQuery[] = [];
  // At its first run a prepared query is built, with marks in place of values.
  await work(db);
  await work(recording(db, seen));
  return await explain(db, seen);
}

/** The same of statements on SQLite that do not wait. */
export async function plansOfNow(db: Db, work: (writing: Writing) => unknown): Promise<string> {
  const seen: Statement[] = [];
  await withTransaction(db, async (tx) => {
    const { adapter } = writingIn(tx);
    const runInTransaction: typeof adapter.runInTransaction = (step) => {
      seen.push(step);
      return adapter.runInTransaction(step);
    };
    await Promise.resolve(
      work({ db: tx, adapter: Object.create(adapter, { runInTransaction: { value: runInTransaction } }) }),
    );
  });
  return await explain(db, seen);
}

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

async function explain(db: Db, seen: readonly Statement[]): Promise<string> {
  const word = engineOf(db) === 'sqlite' ? 'explain query plan' : 'explain';
  const lines: string[] = [];
  await withTransaction(db, async (tx) => {
    for (const query of seen) {
      const command = IS_SETTING.test(query.sql) ? query.sql : `${word} ${query.sql}`;
      const { rows } = await tx.executeQuery(CompiledQuery.raw(command, [...query.parameters]));
      for (const row of rows) lines.push(String(Object.values(row as object).at(-1)));
    }
  });
  return lines.join('\n');
}

export async function gatherStatistics(db: Db): Promise<void> {
  await sql`analyze`.execute(db);
}

/** Prepared queries come to `executeQuery` compiled, all others pass a plugin before they are. */
function recording(db: Db, seen: CompiledQuery[]): Db {
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      seen.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const target = db.withPlugin(recorder);
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'executeQuery') return typeof value === 'function' ? value.bind(target) : value;
      return async (query: CompiledQuery) => {
        seen.push(query);
        return await target.executeQuery(query);
      };
    },
  });
}

import { type Kysely, PostgresAdapter, type Transaction } from 'kysely';

import type { AccountsTables } from './schema/accounts.ts';
import type { CloudTables } from './schema/cloud.ts';
import type { HostTables } from './schema/host.ts';
import type { ProxyTables } from './schema/proxy.ts';
import type { RegistryTables } from './schema/registry.ts';
import type { ServerTables } from './schema/server.ts';
import type { StorageTables } from './schema/storage.ts';
import type { WebhookTables } from './schema/webhooks.ts';
import type { WorkersTables } from './schema/workers.ts';

/** Every table. Columns are portable: text, 64-bit integers (times in ms, flags 0 or 1), bytes. */
export interface Database
  extends AccountsTables,
    CloudTables,
    HostTables,
    ProxyTables,
    RegistryTables,
    ServerTables,
    StorageTables,
    WebhookTables,
    WorkersTables {}

/** A connection or an open transaction: the only handle that repositories get. */
export type Db = Kysely<Database>;

export type Engine = 'sqlite' | 'postgres';

export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Runs `work` in a transaction, or in the one that is already open. */
export async function withTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db);
  return await db.transaction().execute(async (tx: Transaction<Database>) => await work(tx));
}

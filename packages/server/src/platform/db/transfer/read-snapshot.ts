import { CHECKSUMS } from '../migrations/checksums.ts';
import type { AppliedMigration } from './known-migrations.ts';
import type { Snapshot } from './open-snapshot.ts';

/** The applied migrations in order; none when the database is empty. */
export async function readApplied(snapshot: Snapshot): Promise<AppliedMigration[]> {
  const tables = await tablesIn(snapshot);
  if (!tables.includes('migrations')) return [];
  const recorded = new Map<string, string>();
  if (tables.includes('migration_checksums')) {
    for await (const [name, checksum] of snapshot.rows('select name, checksum from migration_checksums'))
      recorded.set(String(name), String(checksum));
  }
  const applied: AppliedMigration[] = [];
  for await (const [name] of snapshot.rows('select name from migrations order by name')) {
    // Migrations without a recorded checksum are ours, or a server would have refused the database.
    const checksum = recorded.get(String(name)) ?? CHECKSUMS[String(name)] ?? '';
    applied.push({ name: String(name), checksum });
  }
  return applied;
}

export async function tablesIn(snapshot: Snapshot): Promise<string[]> {
  const names: string[] = [];
  const query =
    snapshot.engine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table'"
      : 'select tablename from pg_tables where schemaname = current_schema()';
  for await (const [name] of snapshot.rows(query)) names.push(String(name));
  return names;
}

/** The last generated number of `seq`, even if its row was deleted. */
export async function readCounter(snapshot: Snapshot, table: string): Promise<number> {
  const [query, parameters] =
    snapshot.engine === 'sqlite'
      ? ['select seq from sqlite_sequence where name = $1', [table]]
      : [
          `select case when is_called then last_value else 0 end from ${await sequenceOf(snapshot, table)}`,
          [],
        ];
  for await (const [last] of snapshot.rows(query, parameters)) return Number(last);
  return 0;
}

async function sequenceOf(snapshot: Snapshot, table: string): Promise<string> {
  for await (const [name] of snapshot.rows("select pg_get_serial_sequence($1, 'seq')", [table]))
    return String(name);
  throw new Error(`The table ${table} has no counter.`);
}

export function selectAll(table: string, columns: readonly string[]): string {
  return `select ${columns.map((name) => `"${name}"`).join(', ')} from "${table}"`;
}

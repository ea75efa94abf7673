import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('audit_entries_by_actor')
    .on('audit_entries')
    .columns(['actor', 'seq'])
    .execute();
  await db.schema
    .createIndex('audit_entries_by_action')
    .on('audit_entries')
    .columns(['action', 'seq'])
    .execute();
}

import type { Selectable } from 'kysely';

import type { Db } from '../db/database.ts';
import type { AuditEntryRow } from '../db/schema/server.ts';

export type AuditEntry = Selectable<AuditEntryRow>;

export async function insertAuditEntry(db: Db, entry: Omit<AuditEntry, 'seq'>): Promise<void> {
  await db.insertInto('audit_entries').values(entry).execute();
}

export interface AuditFilter {
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. A subject includes what is below it: `publisher:x` also finds `publisher:x/node:y`. */
export async function listAuditEntries(db: Db, { subject, actor, action, before, limit }: AuditFilter) {
  let query = db.selectFrom('audit_entries').selectAll();
  if (subject !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('subject', '=', subject),
        eb.and([eb('subject', '>=', `${subject}/`), eb('subject', '<', `${subject}0`)]),
      ]),
    );
  }
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (before !== undefined) query = query.where('seq', '<', before);
  return await query.orderBy('seq', 'desc').limit(limit).execute();
}

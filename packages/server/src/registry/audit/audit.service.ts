import type { AuditLog } from '@atelier/contracts';

import { toIso } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { withoutNull } from '../../platform/http/without-nulls.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { type AuditFilter, insertAuditEntry, listAuditEntries } from './audit.repo.ts';

/** A person, or a publisher through one of its tokens. */
export type Author = { readonly userId: string } | { readonly publisherToken: string } | 'server';

export type Audit = ReturnType<typeof createAudit>;

/** Who created, published, banned or deleted what and when. Written in the transaction of the change. */
export function createAudit({ db, clock }: ServiceParts) {
  return {
    async add(
      tx: Db,
      by: Author,
      action: string,
      subject: string,
      details: Readonly<Record<string, unknown>> = {},
    ): Promise<void> {
      const actor =
        by === 'server' ? 'server' : 'userId' in by ? `user:${by.userId}` : `token:${by.publisherToken}`;
      await insertAuditEntry(tx, { at: clock(), actor, action, subject, details: JSON.stringify(details) });
    },

    async list(actor: Actor, filter: AuditFilter): Promise<AuditLog> {
      requireAdmin(actor);
      const rows = await listAuditEntries(db, filter);
      const last = rows.at(-1);
      return {
        entries: rows.map((row) => ({
          id: row.seq,
          at: toIso(row.at),
          actor: row.actor,
          action: row.action,
          subject: row.subject,
          details: withoutNull(JSON.parse(row.details)) as Record<string, unknown>,
        })),
        ...(last && rows.length === filter.limit ? { next_before: last.seq } : {}),
      };
    },
  };
}

export function publisherSubject(publisherId: string): string {
  return `publisher:${publisherId}`;
}

export function packSubject(publisherId: string, packId: string): string {
  return `${publisherSubject(publisherId)}/node:${packId}`;
}

export function versionSubject(publisherId: string, packId: string, version: string): string {
  return `${packSubject(publisherId, packId)}/version:${version}`;
}

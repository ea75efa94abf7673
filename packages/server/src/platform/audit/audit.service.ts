import type { AuditLog } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { toIso } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { type Actor, requireAdmin } from '../http/actor.ts';
import { withoutNull } from '../http/without-nulls.ts';
import type { ServiceParts } from '../service-parts.ts';
import { type AuditFilter, insertAuditEntry, listAuditEntries } from './audit.repo.ts';

/** A person, an operator on the command line, or a publisher through one of its tokens. */
export type Author = Pick<Actor, 'userId' | 'isOperator'> | { readonly publisherToken: string } | 'server';

type FindPeople = (
  ids: readonly string[],
) => Promise<readonly { readonly id: string; readonly email: string }[]>;

export type Audit = ReturnType<typeof createAudit>;

/**
 * Who changed, banned or deleted what and when. Written in the transaction of the change. Names people by id only, so that
 * entries can stay when a user is deleted.
 */
export function createAudit({ db, clock }: ServiceParts) {
  return {
    async add(
      tx: Db,
      by: Author,
      action: string,
      subject: string,
      details: Readonly<Record<string, unknown>> = {},
    ): Promise<void> {
      const actor = nameOf(by);
      await insertAuditEntry(tx, { at: clock(), actor, action, subject, details: JSON.stringify(details) });
    },

    /** Adds the e-mail addresses of users who still exist. */
    async list(actor: Actor, filter: AuditFilter, findPeople: FindPeople): Promise<AuditLog> {
      requireAdmin(actor);
      const rows = await listAuditEntries(db, filter);
      const ids = rows.flatMap((row) => [userIn(row.actor) ?? [], userIn(row.subject) ?? []].flat());
      const people = await findPeople([...new Set(ids)]);
      const emails = new Map(people.map(({ id, email }) => [id, email]));
      const last = rows.at(-1);
      return {
        entries: rows.map((row) => ({
          id: row.seq,
          at: toIso(row.at),
          actor: row.actor,
          action: row.action,
          subject: row.subject,
          details: withoutNull(JSON.parse(row.details)) as Record<string, unknown>,
          ...present({
            actor_email: emails.get(userIn(row.actor) ?? ''),
            subject_email: emails.get(userIn(row.subject) ?? ''),
          }),
        })),
        ...(last && rows.length === filter.limit ? { next_before: last.seq } : {}),
      };
    },
  };
}

export function userSubject(userId: string): string {
  return `user:${userId}`;
}

function nameOf(by: Author): string {
  if (by === 'server') return by;
  if ('publisherToken' in by) return `token:${by.publisherToken}`;
  return by.isOperator ? by.userId : userSubject(by.userId);
}

function userIn(text: string): string | undefined {
  return /^user:([^/]+)/.exec(text)?.[1];
}

import type { MemberRole, NewPublisher, Publisher, PublisherChanges } from '@atelier/contracts';

import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import type { PublisherRow } from '../platform/db/schema/registry.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../platform/http/actor.ts';
import { newId } from '../platform/ids.ts';
import { type Audit, publisherSubject } from './audit.service.ts';
import type { Directory } from './directory.ts';
import * as members from './members.repo.ts';
import { describeMembers } from './members.service.ts';
import { countPacksLeft, listPackIds } from './packs.repo.ts';
import { isMember, ownedPublisher } from './permissions.ts';
import { deleteTokensOf } from './publisher-tokens.repo.ts';
import * as repo from './publishers.repo.ts';
import { refreshPack } from './refresh-pack.ts';
import { toPublisher } from './to-wire.ts';

const OWNED_AT_MOST = 5;
/** The word that stands in the place of an id in one of our own paths. */
const RESERVED_ID = 'validate';
const ID_PATTERN = /^[a-z][a-z0-9-]{0,99}$/;

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly directory: Directory;
  readonly catalogueChanged: () => void;
}

export type PublishersService = ReturnType<typeof createPublishersService>;

export function createPublishersService({ db, clock, audit, directory, catalogueChanged }: Parts) {
  const withMembers = async (row: PublisherRow, viewer: Actor | undefined): Promise<Publisher> => {
    const showPrivate = await isMember(db, viewer, row.id);
    return toPublisher(row, await describeMembers(db, directory, row.id, { showPrivate }));
  };

  /** Packs show their publisher and are found by its name, so its change is theirs. */
  const refreshPacks = async (tx: Db, publisherId: string): Promise<void> => {
    for (const packId of await listPackIds(tx, publisherId)) await refreshPack(tx, packId, clock());
  };

  const setBan = async (actor: Actor, id: string, reason: string | null): Promise<void> => {
    if (!(await repo.findPublisher(db, id))) throw notFound('publisher', id);
    requireAdmin(actor);
    await withTransaction(db, async (tx) => {
      await repo.updatePublisher(tx, id, {
        status: reason === null ? 'active' : 'banned',
        ban_reason: reason,
        updated_at: clock(),
      });
      await refreshPacks(tx, id);
      const action = reason === null ? 'publisher.unban' : 'publisher.ban';
      await audit.note(tx, { by: actor, action, subject: publisherSubject(id), details: { reason } });
    });
    catalogueChanged();
  };

  return {
    async create(actor: Actor, wanted: NewPublisher): Promise<Publisher> {
      if (wanted.id === RESERVED_ID) throw taken(wanted.id);
      const row = await withTransaction(db, async (tx) => {
        await directory.lock(tx, actor.userId);
        const now = clock();
        const { id, ...texts } = wanted;
        const publisher = await repo.insertPublisher(tx, {
          id,
          ...toColumns(texts),
          status: 'active',
          ban_reason: null,
          had_packs: 0,
          created_at: now,
          updated_at: now,
        });
        if (!publisher) throw taken(id);
        const owner: MemberRole = 'owner';
        const member = { id: newId(), publisher_id: id, user_id: actor.userId, role: owner, created_at: now };
        await members.insertMember(tx, member);
        if (actor.role !== 'admin' && (await members.countOwned(tx, actor.userId)) > OWNED_AT_MOST) {
          throw new AppError(
            'registry.publisher_limit',
            `An account owns at most ${OWNED_AT_MOST} publishers. Delete one, or ask for membership in another.`,
          );
        }
        await audit.note(tx, { by: actor, action: 'publisher.create', subject: publisherSubject(id) });
        return publisher;
      });
      return await withMembers(row, actor);
    },

    /** 200 only for a free id; public clients show the message of the refusal under the field. */
    async assertAvailable(id: string): Promise<void> {
      if (id === '') throw new AppError('request.invalid', 'Name an id in the query parameter "username".');
      if (!ID_PATTERN.test(id)) {
        throw new AppError(
          'request.invalid',
          'A publisher id starts with a lower-case letter and has only lower-case letters, digits and hyphens, at most 100.',
        );
      }
      if (id === RESERVED_ID || (await repo.isPublisherIdTaken(db, id))) throw taken(id);
    },

    async read(viewer: Actor | undefined, id: string): Promise<Publisher> {
      const row = await repo.findPublisher(db, id);
      if (!row) throw notFound('publisher', id);
      return await withMembers(row, viewer);
    },

    async list(page: { page: number; limit: number }): Promise<Publisher[]> {
      const rows = await repo.listPublishers(db, { offset: (page.page - 1) * page.limit, limit: page.limit });
      return rows.map((row) => toPublisher(row));
    },

    async listOwn(actor: Actor): Promise<Publisher[]> {
      const rows = await repo.listPublishersOf(db, actor.userId);
      return await Promise.all(rows.map(async (row) => await withMembers(row, actor)));
    },

    async update(actor: Actor, id: string, changes: PublisherChanges): Promise<Publisher> {
      await ownedPublisher(db, actor, id);
      const row = await withTransaction(db, async (tx) => {
        const updated = await repo.updatePublisher(tx, id, { ...changes, updated_at: clock() });
        await refreshPacks(tx, id);
        await audit.note(tx, {
          by: actor,
          action: 'publisher.update',
          subject: publisherSubject(id),
          details: { fields: Object.keys(changes) },
        });
        return updated;
      });
      catalogueChanged();
      if (!row) throw notFound('publisher', id);
      return await withMembers(row, actor);
    },

    /** Not while it has packs. Its id is free again only if it never had any. */
    async remove(actor: Actor, id: string): Promise<void> {
      await ownedPublisher(db, actor, id);
      await withTransaction(db, async (tx) => {
        const publisher = await repo.lockPublisher(tx, id);
        if (!publisher) throw notFound('publisher', id);
        const left = await countPacksLeft(tx, id);
        if (left > 0) {
          throw new AppError(
            'registry.publisher_in_use',
            `Publisher "${id}" still has ${left} ${left === 1 ? 'node' : 'nodes'}. Delete ${left === 1 ? 'it' : 'them'} first.`,
          );
        }
        await deleteTokensOf(tx, id);
        await members.deleteMembersOf(tx, id);
        if (publisher.had_packs === 1) {
          await repo.updatePublisher(tx, id, { status: 'deleted', updated_at: clock() });
        } else {
          await repo.removePublisher(tx, id);
        }
        await audit.note(tx, { by: actor, action: 'publisher.delete', subject: publisherSubject(id) });
      });
    },

    /** Everything it has is refused from now on, and given back by lifting the ban. */
    ban: async (actor: Actor, id: string, reason: string) => await setBan(actor, id, reason),
    unban: async (actor: Actor, id: string) => await setBan(actor, id, null),

    async assertMayEdit(actor: Actor, id: string): Promise<void> {
      await ownedPublisher(db, actor, id);
    },
  };
}

function taken(id: string): AppError {
  return new AppError('registry.publisher_exists', `The publisher id "${id}" is taken. Choose another one.`);
}

function toColumns(texts: PublisherChanges) {
  return {
    name: texts.name ?? null,
    description: texts.description ?? null,
    logo: texts.logo ?? null,
    website: texts.website ?? null,
    support: texts.support ?? null,
    source_code_repo: texts.source_code_repo ?? null,
  };
}

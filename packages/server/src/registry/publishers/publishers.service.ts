import {
  type NewPublisher,
  PUBLISHER_FIELDS,
  PUBLISHER_ID_EXPECTS,
  type Publisher,
  type PublisherChanges,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { PublisherRow } from '../../platform/db/schema/registry.ts';
import { AppError, invalid, notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { newId } from '../../platform/ids.ts';
import { type CommonParts, publisherSubject } from '../common-parts.ts';
import { refreshPack } from '../packs/change-pack.ts';
import { countPacksLeft, listPackIds, lockPack } from '../packs/packs.repo.ts';
import { ownedPublisher, requirePublisher } from '../permissions.ts';
import { toPublisher } from '../to-wire.ts';
import * as members from './members.repo.ts';
import { describeMembers, MAX_OWNED_PUBLISHERS, withoutEmails } from './members.service.ts';
import { deleteTokensOf } from './publisher-tokens.repo.ts';
import * as repo from './publishers.repo.ts';

/** Taken by a path of the registry. */
const RESERVED_ID = 'validate';
const ID_PATTERN = /^[a-z][a-z0-9-]{0,99}$/;

export type PublishersService = ReturnType<typeof createPublishersService>;

export function createPublishersService({ db, clock, audit, directory, catalogueChanged }: CommonParts) {
  const withMembers = async (row: PublisherRow, viewer: Actor | undefined): Promise<Publisher> => {
    const [publisher] = await allWithMembers([row], viewer);
    if (!publisher) throw new Error(`publisher ${row.id} is lost`);
    return publisher;
  };

  /** With e-mail addresses and the reason of a ban if the viewer is a member. */
  const allWithMembers = async (rows: readonly PublisherRow[], viewer: Actor | undefined) => {
    const ids = rows.map(({ id }) => id);
    const membersOf = await describeMembers(db, directory, ids);
    return rows.map((row) => {
      const all = membersOf.get(row.id) ?? [];
      const isInside = viewer?.role === 'admin' || all.some(({ user }) => user.id === viewer?.userId);
      return toPublisher(row, { members: isInside ? all : withoutEmails(all), withReason: isInside });
    });
  };

  /** Packs show their publisher and are found by its name. */
  const refreshPacks = async (tx: Db, publisherId: string): Promise<void> => {
    const packIds = (await listPackIds(tx, publisherId)).toSorted();
    // All are locked before the first changes the revision, which every other change locks last.
    for (const packId of packIds) await lockPack(tx, packId);
    for (const packId of packIds) await refreshPack(tx, packId, clock());
  };

  return {
    async create(actor: Actor, wanted: NewPublisher): Promise<Publisher> {
      assertOneLine(wanted.name, 'The name of a publisher');
      if (wanted.id === RESERVED_ID) throw taken(wanted.id);
      const row = await withTransaction(db, async (tx) => {
        await directory.lock(tx, actor.userId);
        const now = clock();
        const { id } = wanted;
        const publisher = await repo.insertPublisher(tx, {
          id,
          ...pickFields(wanted),
          status: 'active',
          had_packs: 0,
          created_by: actor.userId,
          created_at: now,
          updated_at: now,
        });
        if (!publisher) throw taken(id);
        const owner = { id: newId(), publisher_id: id, user_id: actor.userId, created_at: now };
        await members.insertMember(tx, { ...owner, role: 'owner' });
        const owned = await members.countOwned(tx, actor.userId, { made: true });
        if (actor.role !== 'admin' && owned > MAX_OWNED_PUBLISHERS) {
          throw new AppError(
            'registry.publisher_limit',
            `You own ${MAX_OWNED_PUBLISHERS} publishers that you made, which is the maximum. Delete one, or ask for membership in another.`,
          );
        }
        await audit.add(tx, actor, 'publisher.create', publisherSubject(id));
        return publisher;
      });
      return await withMembers(row, actor);
    },

    /** Public clients show the message of the refusal under the field. */
    async assertAvailable(id: string): Promise<void> {
      if (id === '') throw invalid('Name an id in the query parameter "username".');
      if (!ID_PATTERN.test(id)) throw invalid(`A publisher id must be ${PUBLISHER_ID_EXPECTS}.`);
      if (id === RESERVED_ID || (await repo.isPublisherIdTaken(db, id))) throw taken(id);
    },

    async read(viewer: Actor | undefined, id: string): Promise<Publisher> {
      return await withMembers(await requirePublisher(db, id), viewer);
    },

    async list(actor: Actor, { page, limit }: { page: number; limit: number }): Promise<Publisher[]> {
      const rows = await repo.listPublishers(db, { offset: (page - 1) * limit, limit });
      return await allWithMembers(rows, actor);
    },

    async listOwn(actor: Actor): Promise<Publisher[]> {
      return await allWithMembers(await repo.listPublishersOf(db, actor.userId), actor);
    },

    /** Clients send back the whole publisher. Only these fields change. */
    async update(actor: Actor, id: string, input: PublisherChanges): Promise<Publisher> {
      const changes = present(pickFields(input));
      assertOneLine(changes.name, 'The name of a publisher');
      const before = await ownedPublisher(db, actor, id);
      if (Object.keys(changes).length === 0) return await withMembers(before, actor);
      const row = await withTransaction(db, async (tx) => {
        const updated = await repo.updatePublisher(tx, id, { ...changes, updated_at: clock() });
        await refreshPacks(tx, id);
        const details = { fields: Object.keys(changes) };
        await audit.add(tx, actor, 'publisher.update', publisherSubject(id), details);
        return updated;
      });
      catalogueChanged();
      if (!row) throw notFound('publisher', id);
      return await withMembers(row, actor);
    },

    /** Refused while it has packs. The id is free again only if it never had any. */
    async remove(actor: Actor, id: string): Promise<void> {
      await ownedPublisher(db, actor, id);
      await withTransaction(db, async (tx) => {
        const publisher = await requirePublisher(tx, id, repo.lockPublisher);
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
        await audit.add(tx, actor, 'publisher.delete', publisherSubject(id));
      });
    },

    /** `null` lifts the ban. */
    async setBan(actor: Actor, id: string, reason: string | null): Promise<void> {
      await requirePublisher(db, id);
      requireAdmin(actor);
      await withTransaction(db, async (tx) => {
        const status = reason === null ? 'active' : 'banned';
        await repo.updatePublisher(tx, id, { status, ban_reason: reason, updated_at: clock() });
        await refreshPacks(tx, id);
        const action = reason === null ? 'publisher.unban' : 'publisher.ban';
        await audit.add(tx, actor, action, publisherSubject(id), { reason });
      });
      catalogueChanged();
    },

    async assertMayEdit(actor: Actor, id: string): Promise<void> {
      await ownedPublisher(db, actor, id);
    },
  };
}

function taken(id: string): AppError {
  return new AppError('registry.publisher_exists', `The publisher id "${id}" is taken. Choose another one.`);
}

function pickFields(input: PublisherChanges) {
  const fields = PUBLISHER_FIELDS.map((field) => [field, input[field] ?? null] as const);
  return Object.fromEntries(fields) as Record<(typeof PUBLISHER_FIELDS)[number], string | null>;
}

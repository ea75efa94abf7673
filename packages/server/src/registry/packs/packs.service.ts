import type { AdminNodeInput, NewNode, Node, NodeInput, Translations } from '@atelier/contracts';

import type { Clock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { type Audit, packSubject } from '../audit/audit.service.ts';
import { bannedPack, ownedPublisher, unknownVersion } from '../publishers/permissions.ts';
import { findPublisher, lockPublisher, updatePublisher } from '../publishers/publishers.repo.ts';
import { type LinkMaker, toNode } from '../to-wire.ts';
import { normaliseVersion } from '../versions/version-order.ts';
import { deleteVersionsOf, findVersion } from '../versions/versions.repo.ts';
import { emptyPack, revivedPack, toAdminColumns, toPackColumns } from './pack-columns.ts';
import { PACK_ID_PATTERN } from './pack-id.ts';
import * as repo from './packs.repo.ts';
import { refreshPack } from './refresh-pack.ts';
import { findReview, putReview } from './reviews.repo.ts';
import { assertLanguages, mergeTranslations } from './translations.ts';

const MAX_TRANSLATIONS = 200_000;

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly links: LinkMaker;
  readonly catalogueChanged: () => void;
}

export type PacksService = ReturnType<typeof createPacksService>;

export function createPacksService({ db, clock, audit, links, catalogueChanged }: Parts) {
  const node = async (packId: string, withTranslations = false): Promise<Node> => {
    const record = await repo.findPackRecord(db, packId);
    if (!record) throw notFound('node', packId);
    return toNode(record, links, { withTranslations });
  };

  const owned = async (actor: Actor, publisherId: string, packId: string): Promise<repo.Pack> => {
    const pack = await repo.findPack(db, packId);
    if (!pack || pack.status === 'deleted') throw notFound('node', packId);
    await ownedPublisher(db, actor, publisherId);
    if (pack.publisher_id !== publisherId) {
      throw new AppError('auth.forbidden', `Node "${pack.id}" belongs to another publisher.`);
    }
    if (pack.status === 'banned' && actor.role !== 'admin') throw bannedPack(pack.id);
    return pack;
  };

  /** One transaction: the change, what is derived from it, and who did it. */
  const change = async (
    actor: Actor,
    pack: repo.Pack,
    action: string,
    columns: Parameters<typeof repo.updatePack>[2],
    details: Record<string, unknown> = {},
  ): Promise<void> => {
    if (Object.keys(columns).length === 0) return;
    await withTransaction(db, async (tx) => {
      const now = clock();
      await repo.lockPack(tx, pack.id);
      await repo.updatePack(tx, pack.id, columns);
      // Published again, the pack must not bring back what was taken down with it.
      if (columns.status === 'deleted') {
        await deleteVersionsOf(tx, pack.id, { status_reason: 'The node was deleted.', updated_at: now });
      }
      await refreshPack(tx, pack.id, now);
      await audit.note(tx, { by: actor, action, subject: packSubject(pack.publisher_id, pack.id), details });
    });
    catalogueChanged();
  };

  /** The id of the pack, which is spelled as it was if it is back; `undefined` when it is taken. */
  const insert = async (
    actor: Actor,
    publisherId: string,
    { id, ...input }: NewNode,
  ): Promise<string | undefined> => {
    const packId = await withTransaction(db, async (tx) => {
      const now = clock();
      if (!(await lockPublisher(tx, publisherId))) throw notFound('publisher', publisherId);
      const made = await repo.insertPack(tx, emptyPack(id, publisherId, now));
      const pack = made ?? (await repo.lockPack(tx, id));
      if (!pack) throw new Error(`pack ${id} was neither found nor made`);
      const isBack = pack.status === 'deleted' && pack.publisher_id === publisherId;
      if (!made && !isBack) return undefined;
      const before = made ? {} : revivedPack(pack);
      await repo.updatePack(tx, pack.id, { ...before, ...toPackColumns(input), updated_at: now });
      await updatePublisher(tx, publisherId, { had_packs: 1 });
      await refreshPack(tx, pack.id, now);
      await audit.note(tx, { by: actor, action: 'node.create', subject: packSubject(publisherId, pack.id) });
      return pack.id;
    });
    if (packId !== undefined) catalogueChanged();
    return packId;
  };

  const forAdmin = async (actor: Actor, packId: string): Promise<repo.Pack> => {
    const pack = await repo.findPack(db, packId);
    if (!pack) throw notFound('node', packId);
    requireAdmin(actor);
    return pack;
  };

  /** 404 for what is not there, 403 for what is banned, itself or through its publisher. */
  const visible = async (packId: string): Promise<repo.Pack> => {
    const record = await repo.findPackRecord(db, packId);
    if (!record || record.pack.status === 'deleted' || record.publisher.status === 'deleted') {
      throw notFound('node', packId);
    }
    if (record.pack.status === 'banned' || record.publisher.status === 'banned') {
      throw bannedPack(record.pack.id);
    }
    return record.pack;
  };

  return {
    async create(actor: Actor, publisherId: string, wanted: NewNode): Promise<Node> {
      assertPackId(wanted.id);
      assertPackName(wanted.name);
      await ownedPublisher(db, actor, publisherId);
      const id = await insert(actor, publisherId, wanted);
      if (id === undefined) {
        throw new AppError('registry.node_exists', `The node id "${wanted.id}" is taken.`);
      }
      return await node(id);
    },

    async update(actor: Actor, publisherId: string, packId: string, input: NodeInput): Promise<Node> {
      assertPackName(input.name);
      const pack = await owned(actor, publisherId, packId);
      await change(actor, pack, 'node.update', toPackColumns(input), { fields: Object.keys(input) });
      return await node(pack.id);
    },

    /** The id stays the publisher's, who may publish it again. */
    async remove(actor: Actor, publisherId: string, packId: string): Promise<void> {
      const pack = await owned(actor, publisherId, packId);
      await change(actor, pack, 'node.delete', { status: 'deleted' });
    },

    async assertMayEdit(actor: Actor, publisherId: string, packId: string): Promise<boolean> {
      await ownedPublisher(db, actor, publisherId);
      const pack = await repo.findPack(db, packId);
      return pack?.publisher_id === publisherId && pack.status !== 'deleted';
    },

    async ban(actor: Actor, publisherId: string, packId: string, reason: string | null): Promise<void> {
      const pack = await repo.findPack(db, packId);
      if (!pack || pack.status === 'deleted' || pack.publisher_id !== publisherId) {
        throw notFound('node', packId);
      }
      requireAdmin(actor);
      const action = reason === null ? 'node.unban' : 'node.ban';
      const columns = { status: reason === null ? 'active' : 'banned', status_detail: reason } as const;
      await change(actor, pack, action, columns, { reason });
    },

    async adminCreate(
      actor: Actor,
      { publisher, ...wanted }: NewNode & { publisher: { id: string } },
    ): Promise<Node> {
      assertPackId(wanted.id);
      assertPackName(wanted.name);
      if (!(await findPublisher(db, publisher.id))) throw notFound('publisher', publisher.id);
      requireAdmin(actor);
      const id = await insert(actor, publisher.id, wanted);
      if (id === undefined) {
        throw new AppError('registry.node_taken', `The node id "${wanted.id}" is taken.`);
      }
      return await node(id);
    },

    async adminUpdate(actor: Actor, packId: string, input: AdminNodeInput): Promise<Node> {
      assertPackName(input.name);
      const pack = await forAdmin(actor, packId);
      const { publisher } = input;
      if (publisher !== undefined && !(await findPublisher(db, publisher.id))) {
        throw notFound('publisher', publisher.id);
      }
      const columns = {
        ...toPackColumns(input),
        // The detail of a ban goes with it, unless another one is given.
        ...(pack.status === 'banned' && input.status === 'NodeStatusActive' ? { status_detail: null } : {}),
        ...toAdminColumns(input),
        ...(publisher === undefined ? {} : { publisher_id: publisher.id }),
      };
      if (publisher !== undefined) await updatePublisher(db, publisher.id, { had_packs: 1 });
      await change(actor, pack, 'node.update', columns, { fields: Object.keys(input) });
      return await node(pack.id);
    },

    /** One review per user: a second one replaces the first. */
    async review(actor: Actor, packId: string, star: number, version?: string): Promise<Node> {
      const pack = await visible(packId);
      let reviewed: string | null = null;
      if (version === undefined) {
        reviewed = (await node(pack.id)).latest_version?.version ?? null;
      } else {
        const found = await findVersion(db, pack.id, normaliseVersion(version) ?? version);
        if (!found || found.status === 'deleted' || found.status === 'pending') {
          throw unknownVersion(pack.id, version);
        }
        reviewed = found.version;
      }
      await withTransaction(db, async (tx) => {
        await repo.lockPack(tx, pack.id);
        const before = await findReview(tx, pack.id, actor.userId);
        await putReview(tx, {
          pack_id: pack.id,
          user_id: actor.userId,
          star,
          version: reviewed,
          created_at: clock(),
        });
        await repo.addStars(tx, pack.id, star - (before?.star ?? 0), before ? 0 : 1);
        await refreshPack(tx, pack.id, clock());
      });
      catalogueChanged();
      return await node(pack.id);
    },

    async translate(actor: Actor, packId: string, data: Translations['data']): Promise<Node> {
      assertLanguages(Object.keys(data));
      const pack = await visible(packId);
      await ownedPublisher(db, actor, pack.publisher_id);
      if (Object.keys(data).length === 0) return await node(pack.id, true);
      await withTransaction(db, async (tx) => {
        const locked = await repo.lockPack(tx, pack.id);
        const merged = JSON.stringify(mergeTranslations(locked?.translations ?? '{}', data));
        if (merged.length > MAX_TRANSLATIONS) {
          throw new AppError(
            'request.invalid',
            `The translations of a node take at most ${MAX_TRANSLATIONS} characters.`,
          );
        }
        await repo.updatePack(tx, pack.id, { translations: merged });
        await refreshPack(tx, pack.id, clock());
        await audit.note(tx, {
          by: actor,
          action: 'node.translate',
          subject: packSubject(pack.publisher_id, pack.id),
          details: { languages: Object.keys(data) },
        });
      });
      catalogueChanged();
      return await node(pack.id, true);
    },

    visible,
  };
}

/** Words that stand in the place of an id in our own paths. */
const RESERVED_IDS = new Set(['search', 'export']);

export function assertPackId(id: string): void {
  if (new RegExp(PACK_ID_PATTERN).test(id) && !RESERVED_IDS.has(id.toLowerCase())) return;
  throw new AppError(
    'request.invalid',
    'A node id has 1 to 100 letters, digits, "_", "-" and ".", with a letter or digit at both ends, and is not "search" or "export".',
  );
}

export function assertPackName(name: string | undefined): void {
  assertOneLine(name, 'The name of a node');
}

import {
  type AdminNodeInput,
  isNodeId,
  type NewNode,
  NODE_ID_HAS,
  type Node,
  type NodeInput,
  type Reviews,
  type Translations,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { withTransaction } from '../../platform/db/database.ts';
import { AppError, invalid, notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { type CommonParts, packSubject } from '../common-parts.ts';
import {
  bannedPack,
  foreignPack,
  ownedPublisher,
  requirePublisher,
  unknownVersion,
  visiblePack,
} from '../permissions.ts';
import { lockPublisher, updatePublisher } from '../publishers/publishers.repo.ts';
import { toNode } from '../to-wire.ts';
import { normalizeVersion } from '../versions/version-order.ts';
import { deleteVersionsOf, findVersion } from '../versions/versions.repo.ts';
import { refreshPack } from './change-pack.ts';
import { blankPack, emptyPack, toAdminColumns, toPackColumns } from './pack-columns.ts';
import * as repo from './packs.repo.ts';
import { countStars, findReview, putReview } from './reviews.repo.ts';
import { assertLanguages, mergeTranslations } from './translations.ts';

const MAX_TRANSLATIONS_LENGTH = 200_000;

export type PacksService = ReturnType<typeof createPacksService>;

export function createPacksService(parts: CommonParts) {
  const { db, clock, audit, links, catalogueChanged, changePack } = parts;
  const node = async (packId: string, withTranslations = false): Promise<Node> => {
    const record = await repo.findPackRecord(db, packId);
    if (!record) throw notFound('node', packId);
    return toNode(record, links, { withTranslations });
  };

  const owned = async (actor: Actor, publisherId: string, packId: string): Promise<repo.Pack> => {
    const pack = await repo.findPack(db, packId);
    if (!pack || pack.status === 'deleted') throw notFound('node', packId);
    await ownedPublisher(db, actor, publisherId);
    if (pack.publisher_id !== publisherId) throw foreignPack(pack.id);
    if (pack.status === 'banned' && actor.role !== 'admin') throw bannedPack(pack.id);
    return pack;
  };

  const change = async (
    actor: Actor,
    pack: repo.Pack,
    action: string,
    columns: Parameters<typeof repo.updatePack>[2],
    details: Record<string, unknown> = {},
  ): Promise<void> => {
    if (Object.keys(columns).length === 0) return;
    await changePack(pack.id, async (tx, _locked, now) => {
      await repo.updatePack(tx, pack.id, columns);
      // A pack that is published again must not bring back its old versions.
      if (columns.status === 'deleted') {
        await deleteVersionsOf(tx, pack.id, { status_reason: 'The node was deleted.', updated_at: now });
      }
      await audit.add(tx, actor, action, packSubject(pack.publisher_id, pack.id), details);
    });
  };

  /** A pack of the publisher that was deleted is created again, under its old spelling. */
  const insert = async (
    actor: Actor,
    publisherId: string,
    { id, ...input }: NewNode,
    takenCode: 'registry.node_exists' | 'registry.node_taken',
  ): Promise<Node> => {
    const packId = await withTransaction(db, async (tx) => {
      const now = clock();
      await requirePublisher(tx, publisherId, lockPublisher);
      const made = await repo.insertPack(tx, emptyPack(id, publisherId, now));
      const pack = made ?? (await repo.lockPack(tx, id));
      if (!pack) throw new Error(`pack ${id} was neither found nor made`);
      const isBack = pack.status === 'deleted' && pack.publisher_id === publisherId;
      if (!made && !isBack) throw new AppError(takenCode, `The node id "${id}" is taken.`);
      const before = made ? {} : blankPack(pack.id);
      await repo.updatePack(tx, pack.id, { ...before, ...toPackColumns(input), updated_at: now });
      await updatePublisher(tx, publisherId, { had_packs: 1 });
      await refreshPack(tx, pack.id, now);
      await audit.add(tx, actor, 'node.create', packSubject(publisherId, pack.id));
      return pack.id;
    });
    catalogueChanged();
    return await node(packId);
  };

  return {
    async create(actor: Actor, publisherId: string, wanted: NewNode): Promise<Node> {
      assertPackId(wanted.id);
      assertPackName(wanted.name);
      await ownedPublisher(db, actor, publisherId);
      return await insert(actor, publisherId, wanted, 'registry.node_exists');
    },

    async update(actor: Actor, publisherId: string, packId: string, input: NodeInput): Promise<Node> {
      assertPackName(input.name);
      const pack = await owned(actor, publisherId, packId);
      await change(actor, pack, 'node.update', toPackColumns(input), { fields: Object.keys(input) });
      return await node(pack.id);
    },

    /** The id stays with the publisher, who may publish it again. */
    async remove(actor: Actor, publisherId: string, packId: string): Promise<void> {
      const pack = await owned(actor, publisherId, packId);
      await change(actor, pack, 'node.delete', { status: 'deleted' });
    },

    async mayEdit(actor: Actor, publisherId: string, packId: string): Promise<boolean> {
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

    async adminCreate(actor: Actor, { publisher, ...wanted }: NewNode & { publisher: { id: string } }) {
      assertPackId(wanted.id);
      assertPackName(wanted.name);
      await requirePublisher(db, publisher.id);
      requireAdmin(actor);
      return await insert(actor, publisher.id, wanted, 'registry.node_taken');
    },

    async adminUpdate(actor: Actor, packId: string, input: AdminNodeInput): Promise<Node> {
      assertPackName(input.name);
      const pack = await repo.findPack(db, packId);
      if (!pack) throw notFound('node', packId);
      requireAdmin(actor);
      const { publisher } = input;
      if (publisher) await requirePublisher(db, publisher.id);
      const columns = {
        ...toPackColumns(input),
        // Lifting a ban removes its reason, unless another one is given.
        ...(pack.status === 'banned' && input.status === 'NodeStatusActive' && { status_detail: null }),
        ...toAdminColumns(input),
        ...(publisher && { publisher_id: publisher.id }),
      };
      if (publisher) await updatePublisher(db, publisher.id, { had_packs: 1 });
      await change(actor, pack, 'node.update', columns, { fields: Object.keys(input) });
      return await node(pack.id);
    },

    async reviews(viewer: Actor | undefined, packId: string): Promise<Reviews> {
      const { pack } = await visiblePack(db, packId);
      const counts = new Map((await countStars(db, pack.id)).map(({ star, count }) => [star, count]));
      const own = viewer && (await findReview(db, pack.id, viewer.userId));
      return {
        total: pack.star_count,
        rating: pack.star_count === 0 ? 0 : pack.star_sum / pack.star_count,
        stars: [1, 2, 3, 4, 5].map((star) => counts.get(star) ?? 0),
        ...present({ yours: own?.star }),
      };
    },

    /** One review per user: a second one replaces the first. */
    async review(actor: Actor, packId: string, star: number, version?: string): Promise<Node> {
      const { pack, latest } = await visiblePack(db, packId);
      const reviewed =
        version === undefined ? latest : await findVersion(db, pack.id, normalizeVersion(version) ?? version);
      const isReviewable = reviewed && reviewed.status !== 'deleted' && reviewed.status !== 'pending';
      if (version !== undefined && !isReviewable) throw unknownVersion(pack.id, version);
      await changePack(pack.id, async (tx, _locked, now) => {
        const before = await findReview(tx, pack.id, actor.userId);
        const review = { pack_id: pack.id, user_id: actor.userId, star, version: reviewed?.version ?? null };
        await putReview(tx, { ...review, created_at: now });
        await repo.addStars(tx, pack.id, star - (before?.star ?? 0), before ? 0 : 1);
      });
      return await node(pack.id);
    },

    async translate(actor: Actor, packId: string, data: Translations['data']): Promise<Node> {
      assertLanguages(Object.keys(data));
      const { pack } = await visiblePack(db, packId);
      await ownedPublisher(db, actor, pack.publisher_id);
      if (Object.keys(data).length === 0) return await node(pack.id, true);
      await changePack(pack.id, async (tx, locked) => {
        const merged = JSON.stringify(mergeTranslations(locked.translations, data));
        if (merged.length > MAX_TRANSLATIONS_LENGTH) {
          throw invalid(`The translations of a node take at most ${MAX_TRANSLATIONS_LENGTH} characters.`);
        }
        await repo.updatePack(tx, pack.id, { translations: merged });
        const details = { languages: Object.keys(data) };
        await audit.add(tx, actor, 'node.translate', packSubject(pack.publisher_id, pack.id), details);
      });
      return await node(pack.id, true);
    },
  };
}

export function assertPackId(id: string): void {
  if (!isNodeId(id)) throw invalid(`A node id has ${NODE_ID_HAS}.`);
}

export function assertPackName(name: string | undefined): void {
  assertOneLine(name, 'The name of a node');
}

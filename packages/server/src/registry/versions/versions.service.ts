import {
  AdminVersionChanges,
  type BulkVersions,
  type BulkVersionsQuery,
  type NodeVersion,
  type Readme,
  type VersionChanges,
  type VersionPage,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import { type CommonParts, versionSubject } from '../common-parts.ts';
import { toSupportColumns } from '../packs/pack-columns.ts';
import { packIdKey } from '../packs/pack-id.ts';
import { findPack } from '../packs/packs.repo.ts';
import { bannedPack, isMember, ownedPublisher, unknownVersion, visiblePack } from '../permissions.ts';
import { toNodeVersion, VERSION_STATUS_WORD } from '../to-wire.ts';
import { normalizeVersion } from './version-order.ts';
import * as repo from './versions.repo.ts';

const ALL_BUT_DELETED: readonly repo.VersionStatus[] = ['pending', 'active', 'flagged', 'banned'];

interface VersionPath {
  readonly publisherId: string;
  readonly nodeId: string;
  readonly versionId: string;
}

interface VersionWindow {
  readonly page: number;
  readonly pageSize: number;
}

/** Deleted by the checks, not by its publisher. */
function wasRefused({ status, refused_at: refusedAt }: PackVersionRow): boolean {
  return status === 'deleted' && refusedAt !== null;
}

export type VersionsService = ReturnType<typeof createVersionsService>;

export function createVersionsService({ db, clock, audit, links, changePack }: CommonParts) {
  const wire = (row: PackVersionRow, view: { withReason: boolean; forMembers?: boolean }): NodeVersion =>
    toNodeVersion(row, links, view);

  /** A version of a pack of that publisher. 403 unless the actor owns the publisher. */
  const owned = async (actor: Actor, { publisherId, nodeId, versionId }: VersionPath) => {
    const pack = await findPack(db, nodeId);
    const version = await repo.findVersionById(db, versionId);
    const isThere = pack?.publisher_id === publisherId && pack.status !== 'deleted';
    if (!isThere || version?.pack_id !== pack.id || version.status === 'deleted') {
      throw notFound('version', versionId);
    }
    await ownedPublisher(db, actor, publisherId);
    if (pack.status === 'banned' && actor.role !== 'admin') throw bannedPack(pack.id);
    return version;
  };

  const note = async (
    tx: Db,
    actor: Actor,
    action: string,
    version: PackVersionRow,
    details: Record<string, unknown> = {},
  ) => {
    const pack = await findPack(tx, version.pack_id);
    const subject = versionSubject(pack?.publisher_id ?? '', version.pack_id, version.version);
    await audit.add(tx, actor, action, subject, details);
  };

  const reread = async (id: string): Promise<NodeVersion> => {
    const row = await repo.findVersionById(db, id);
    if (!row) throw notFound('version', id);
    return wire(row, { withReason: true, forMembers: true });
  };

  const shown = async (viewer: Actor | undefined, packId: string, number: string) => {
    const { pack } = await visiblePack(db, packId);
    const version = await repo.findVersion(db, pack.id, normalizeVersion(number) ?? number);
    const forMembers = await isMember(db, viewer, pack.publisher_id);
    const isShown = version?.status !== 'deleted' || (forMembers && wasRefused(version));
    if (!version || !isShown) throw unknownVersion(pack.id, number);
    return { version, forMembers };
  };

  return {
    /** Newest first. Deleted versions are listed only if `statuses` names them. */
    async list(
      viewer: Actor | undefined,
      packId: string,
      { statuses, withReason }: { statuses: readonly repo.VersionStatus[]; withReason: boolean },
    ): Promise<NodeVersion[]> {
      const { pack } = await visiblePack(db, packId);
      const forMembers = await isMember(db, viewer, pack.publisher_id);
      // Members who ask for the reasons also see what the checks refused.
      const showsRefused = statuses.length === 0 && withReason && forMembers;
      const wanted = statuses.length > 0 ? statuses : ALL_BUT_DELETED;
      const rows = await repo.listVersions(db, pack.id, showsRefused ? [...wanted, 'deleted'] : wanted);
      return rows
        .filter((row) => !showsRefused || row.status !== 'deleted' || wasRefused(row))
        .map((row) => wire(row, { withReason, forMembers }));
    },

    async read(viewer: Actor | undefined, packId: string, number: string): Promise<NodeVersion> {
      const { version, forMembers } = await shown(viewer, packId, number);
      return wire(version, { withReason: false, forMembers });
    },

    async readme(viewer: Actor | undefined, packId: string, number: string): Promise<Readme> {
      const { version } = await shown(viewer, packId, number);
      return present({ readme: await repo.findReadme(db, version.id) });
    },

    async page(
      filter: repo.VersionFilter,
      { page, pageSize, ...view }: VersionWindow & { withReason: boolean; forMembers?: boolean },
    ): Promise<VersionPage> {
      const wanted = { ...filter, statuses: filter.statuses.length > 0 ? filter.statuses : ALL_BUT_DELETED };
      const offset = (page - 1) * pageSize;
      const { total, rows } = await repo.pageOfVersions(db, wanted, { offset, limit: pageSize });
      const versions = rows.map((row) => wire(row, view));
      return { total, versions, page, pageSize, totalPages: Math.ceil(total / pageSize) };
    },

    async bulk({ node_versions: identifiers }: BulkVersionsQuery): Promise<BulkVersions> {
      const wanted = identifiers.map((identifier) => ({
        identifier,
        packId: identifier.node_id,
        version: normalizeVersion(identifier.version) ?? identifier.version,
      }));
      const rows = await repo.findVisibleVersions(db, wanted);
      const keyOf = (packId: string, version: string): string => JSON.stringify([packIdKey(packId), version]);
      const rowOf = new Map(rows.map((row) => [keyOf(row.pack_id, row.version), row]));
      const results = wanted.map(({ identifier, packId, version }): BulkVersions['node_versions'][number] => {
        const row = rowOf.get(keyOf(packId, version));
        return row
          ? { identifier, status: 'success', node_version: wire(row, { withReason: false }) }
          : { identifier, status: 'not_found', error_message: 'There is no such version.' };
      });
      return { node_versions: results };
    },

    async update(actor: Actor, where: VersionPath, input: VersionChanges): Promise<NodeVersion> {
      const version = await owned(actor, where);
      const changes = present({ changelog: input.changelog, deprecated: input.deprecated });
      const fields = Object.keys(changes);
      if (fields.length === 0) return await reread(version.id);
      await changePack(version.pack_id, async (tx, _pack, now) => {
        const { deprecated, ...texts } = changes;
        const columns = deprecated === undefined ? {} : { deprecated: deprecated ? 1 : 0 };
        await repo.updateVersion(tx, version.id, { ...texts, ...columns, updated_at: now });
        await note(tx, actor, 'version.update', version, { fields });
      });
      return await reread(version.id);
    },

    /** The number stays reserved. */
    async remove(actor: Actor, where: VersionPath): Promise<void> {
      const version = await owned(actor, where);
      await changePack(version.pack_id, async (tx, _pack, now) => {
        const current = await repo.findVersionById(tx, version.id);
        // Deleting it would hide that it was banned.
        if (current?.status === 'banned' && actor.role !== 'admin') {
          throw new AppError(
            'registry.banned',
            `Version ${version.version} of node "${version.pack_id}" is banned, so only an administrator can delete it.`,
          );
        }
        const changes = { status_reason: 'Deleted by its publisher.', updated_at: now };
        await repo.moveVersion(tx, version.id, 'deleted', changes);
        await note(tx, actor, 'version.delete', version);
      });
    },

    async requestReview(actor: Actor, where: VersionPath, text: string | undefined): Promise<NodeVersion> {
      const version = await owned(actor, where);
      if (version.status !== 'flagged' && version.status !== 'banned') {
        throw new AppError('registry.version_state', 'Only a flagged or banned version needs a review.');
      }
      await withTransaction(db, async (tx) => {
        const request = { review_requested_at: clock(), review_note: text ?? null };
        await repo.updateVersion(tx, version.id, request);
        await note(tx, actor, 'version.request_review', version, { note: text });
      });
      return await reread(version.id);
    },

    async decide(actor: Actor, packId: string, number: string, changes: AdminVersionChanges) {
      const pack = await findPack(db, packId);
      const version = pack && (await repo.findVersion(db, pack.id, normalizeVersion(number) ?? number));
      if (!version) throw unknownVersion(packId, number);
      requireAdmin(actor);
      const fields = Object.keys(changes).filter((field) => field in AdminVersionChanges.properties);
      if (fields.length === 0) return await reread(version.id);
      await changePack(version.pack_id, async (tx, _pack, now) => {
        await applyDecision(tx, version, changes, now);
        const { status, status_reason: reason } = changes;
        await note(tx, actor, 'version.decide', version, { status, reason, fields });
      });
      return await reread(version.id);
    },

    async pageForAdmin(actor: Actor, filter: repo.VersionFilter, page: VersionWindow): Promise<VersionPage> {
      requireAdmin(actor);
      return await this.page({ ...filter, anyPack: true }, { ...page, withReason: true, forMembers: true });
    },
  };
}

async function applyDecision(tx: Db, version: PackVersionRow, changes: AdminVersionChanges, now: number) {
  const { status, status_reason: reason } = changes;
  const wanted = status && fromStatusWord(status);
  if (wanted !== undefined && wanted !== version.status) {
    if (version.file_hash === null && (wanted === 'active' || wanted === 'flagged')) {
      throw new AppError('registry.version_state', 'This version has no archive that could be installed.');
    }
    const reached = { status_reason: reason ?? null, updated_at: now };
    const moved = wanted !== 'pending' && (await repo.moveVersion(tx, version.id, wanted, reached));
    if (!moved) {
      const sentence = `A version that is ${version.status} cannot become ${wanted}.`;
      throw new AppError('registry.version_state', sentence);
    }
  }
  await repo.updateVersion(tx, version.id, {
    ...present({
      status_reason: reason,
      tags_admin: toJson(changes.tags_admin),
      supported_os: toJson(changes.supported_os),
      supported_accelerators: toJson(changes.supported_accelerators),
    }),
    ...toSupportColumns(changes),
    ...(wanted && { review_requested_at: null }),
    updated_at: now,
  });
}

function toJson(list: readonly string[] | undefined): string | undefined {
  return list && JSON.stringify(list);
}

export function fromStatusWord(word: string): repo.VersionStatus | undefined {
  const found = Object.entries(VERSION_STATUS_WORD).find(([, status]) => status === word);
  return found?.[0] as repo.VersionStatus | undefined;
}

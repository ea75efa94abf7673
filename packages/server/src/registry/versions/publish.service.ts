import type { Publish, Published } from '@atelier/contracts';
import type { Insertable } from 'kysely';

import { withTransaction } from '../../platform/db/database.ts';
import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import { AppError, invalid } from '../../platform/errors/app-error.ts';
import { newId } from '../../platform/ids.ts';
import type { UploadLinks } from '../archives/upload-links.ts';
import { type CommonParts, versionSubject } from '../common-parts.ts';
import { refreshPack } from '../packs/change-pack.ts';
import { blankPack, emptyPack, toPackColumns, toSupportColumns } from '../packs/pack-columns.ts';
import { findPack, insertPack, lockPack, updatePack } from '../packs/packs.repo.ts';
import { assertPackId, assertPackName } from '../packs/packs.service.ts';
import { bannedPack, bannedPublisher, foreignPack } from '../permissions.ts';
import type { PublisherTokensService } from '../publishers/publisher-tokens.service.ts';
import { findPublisher, lockPublisher, updatePublisher } from '../publishers/publishers.repo.ts';
import { toNodeVersion } from '../to-wire.ts';
import { normalizeVersion, versionKey } from './version-order.ts';
import { findVersion, findVersionById, insertVersion } from './versions.repo.ts';

interface Parts extends CommonParts {
  readonly tokens: PublisherTokensService;
  readonly uploadLinks: UploadLinks;
}

export type PublishService = ReturnType<typeof createPublishService>;

/**
 * Creates or updates the pack and reserves the version number in one transaction, and returns a link for the archive. The credential is the
 * token in the body.
 */
export function createPublishService(parts: Parts) {
  const { db, clock, audit, tokens, links, uploadLinks, catalogueChanged } = parts;

  /** In the order of the public registry: publisher, node, owner, token. */
  const authorize = async (publisherId: string, packId: string, token: string): Promise<string> => {
    const publisher = await findPublisher(db, publisherId);
    if (!publisher) {
      throw new AppError('registry.token_invalid', `There is no publisher "${publisherId}" for this token.`);
    }
    if (publisher.status === 'banned') throw bannedPublisher(publisherId);
    const pack = await findPack(db, packId);
    if (pack?.status === 'banned') throw bannedPack(pack.id);
    if (pack && pack.publisher_id !== publisherId) throw foreignPack(pack.id);
    return await tokens.verify(publisherId, token);
  };

  return async (publisherId: string, packId: string, body: Publish): Promise<Published> => {
    assertPackId(packId);
    assertPackName(body.node.name);
    const version = normalizeVersion(body.node_version.version);
    if (version === undefined) {
      throw invalid(`"${body.node_version.version}" is not a semantic version such as 1.2.3.`);
    }
    const tokenId = await authorize(publisherId, packId, body.personal_access_token);
    const versionId = newId();

    await withTransaction(db, async (tx) => {
      const now = clock();
      // Checked again under locks: it may have been banned or deleted in the meantime.
      const publisher = await lockPublisher(tx, publisherId);
      if (publisher?.status !== 'active') throw bannedPublisher(publisherId);
      await insertPack(tx, emptyPack(packId, publisherId, now));
      const pack = await lockPack(tx, packId);
      if (!pack) throw new Error(`pack ${packId} was neither found nor made`);
      if (pack.publisher_id !== publisherId) throw foreignPack(pack.id);
      if (pack.status === 'banned') throw bannedPack(pack.id);
      const before = pack.status === 'deleted' ? blankPack(pack.id) : {};
      await updatePack(tx, pack.id, { ...before, ...toPackColumns(body.node) });
      await updatePublisher(tx, publisherId, { had_packs: 1 });
      const row = toVersionRow(body, { id: versionId, packId: pack.id, version, now });
      if (!(await insertVersion(tx, row))) {
        throw numberUsed(pack.id, version, await findVersion(tx, pack.id, version));
      }
      await refreshPack(tx, pack.id, now);
      const subject = versionSubject(publisherId, pack.id, version);
      await audit.add(tx, { publisherToken: tokenId }, 'version.publish', subject);
    });
    catalogueChanged();

    const row = await findVersionById(db, versionId);
    if (!row) throw new Error(`version ${versionId} was not written`);
    return {
      node_version: toNodeVersion(row, links, { withReason: true, forMembers: true }),
      signedUrl: uploadLinks.sign(versionId),
    };
  };
}

function numberUsed(packId: string, version: string, used: PackVersionRow | undefined): AppError {
  const waits = used?.status === 'pending' && used.file_hash === null;
  return new AppError(
    'registry.version_exists',
    waits
      ? `Version ${version} of node "${packId}" is announced already and waits for its archive. Upload it with the link of that answer, or publish another number.`
      : `Version ${version} of node "${packId}" already exists, or existed once. Publish a higher number.`,
  );
}

function toVersionRow(
  { node_version: input }: Publish,
  { id, packId, version, now }: { id: string; packId: string; version: string; now: number },
): Insertable<PackVersionRow> {
  return {
    id,
    pack_id: packId,
    version,
    version_key: versionKey(version),
    changelog: input.changelog ?? null,
    dependencies: JSON.stringify(input.dependencies ?? []),
    deprecated: input.deprecated ? 1 : 0,
    status: 'pending',
    extract_status: 'pending',
    tags: JSON.stringify(input.tags ?? []),
    tags_admin: '[]',
    supported_os: JSON.stringify(input.supported_os ?? []),
    supported_accelerators: JSON.stringify(input.supported_accelerators ?? []),
    ...toSupportColumns(input),
    created_at: now,
    updated_at: now,
  };
}

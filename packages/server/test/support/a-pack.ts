import { randomUUID } from 'node:crypto';

import type { Db } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { refreshPack } from '../../src/registry/packs/change-pack.ts';
import { emptyPack } from '../../src/registry/packs/pack-columns.ts';
import { insertPack, updatePack } from '../../src/registry/packs/packs.repo.ts';
import { insertPublisher } from '../../src/registry/publishers/publishers.repo.ts';
import { versionKey } from '../../src/registry/versions/version-order.ts';
import { insertVersion, type VersionStatus } from '../../src/registry/versions/versions.repo.ts';

export async function aPublisher(db: Db): Promise<string> {
  const id = `p-${randomUUID()}`;
  await insertPublisher(db, {
    id,
    name: null,
    description: null,
    logo: null,
    website: null,
    support: null,
    source_code_repo: null,
    status: 'active',
    ban_reason: null,
    had_packs: 0,
    created_at: 1,
    updated_at: 1,
  });
  return id;
}

export async function aPack(
  db: Db,
  columns: Parameters<typeof updatePack>[2] & { id?: string; publisher_id?: string; at?: number } = {},
): Promise<string> {
  const {
    id = `pack-${randomUUID()}`,
    publisher_id: publisherId = await aPublisher(db),
    at = 1,
    ...rest
  } = columns;
  await insertPack(db, emptyPack(id, publisherId, at));
  if (Object.keys(rest).length > 0) await updatePack(db, id, rest);
  await refreshPack(db, id, at);
  return id;
}

export async function aVersion(
  db: Db,
  packId: string,
  version: string,
  status: VersionStatus = 'active',
  at = 1,
): Promise<string> {
  const id = newId();
  await insertVersion(db, {
    id,
    pack_id: packId,
    version,
    version_key: versionKey(version),
    changelog: null,
    dependencies: '[]',
    deprecated: 0,
    status,
    status_reason: null,
    extract_status: 'pending',
    tags: '[]',
    tags_admin: '[]',
    supported_os: '[]',
    supported_accelerators: '[]',
    supported_version: null,
    supported_frontend_version: null,
    file_hash: null,
    file_size: null,
    review_requested_at: null,
    review_note: null,
    created_at: at,
    updated_at: at,
  });
  await refreshPack(db, packId, at);
  return id;
}

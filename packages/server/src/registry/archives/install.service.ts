import type { NodeVersion } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import { AppError, invalid } from '../../platform/errors/app-error.ts';
import { unknownVersion, visiblePack } from '../permissions.ts';
import { type LinkMaker, toNodeVersion } from '../to-wire.ts';
import { normalizeVersion } from '../versions/version-order.ts';
import { findVersion, newestActive } from '../versions/versions.repo.ts';
import type { Downloads } from './downloads.ts';

interface Parts {
  readonly db: Db;
  readonly downloads: Downloads;
  readonly links: LinkMaker;
}

export type InstallService = ReturnType<typeof createInstallService>;

export function createInstallService({ db, downloads, links }: Parts) {
  const byNumber = async (packId: string, number: string) => {
    const version = await findVersion(db, packId, number);
    const hash = version?.file_hash ?? null;
    if (!version || hash === null || version.status === 'deleted' || version.status === 'pending') {
      throw unknownVersion(packId, number);
    }
    if (version.status === 'banned') {
      throw new AppError('registry.banned', `Version ${number} of node "${packId}" is banned.`);
    }
    return { version, hash };
  };

  return {
    /** Counts a download. Flagged versions are found by number only, banned ones never. */
    async install(packId: string, number: string | undefined): Promise<NodeVersion> {
      const wanted = number === undefined ? undefined : normalizeVersion(number);
      if (number !== undefined && wanted === undefined) {
        throw invalid(`"${number}" is not a version such as 1.2.3.`);
      }
      const { pack } = await visiblePack(db, packId);
      const version =
        wanted === undefined ? await newestActive(db, pack.id) : (await byNumber(pack.id, wanted)).version;
      if (!version) {
        throw new AppError('resource.not_found', `Node "${pack.id}" has no version that can be installed.`);
      }
      downloads.count(pack.id);
      return toNodeVersion(version, links, { withReason: false });
    },

    /** What can be installed can be downloaded. */
    async archive(packId: string, number: string): Promise<{ hash: string; name: string }> {
      const { pack } = await visiblePack(db, packId);
      const { version, hash } = await byNumber(pack.id, number);
      return { hash, name: `${pack.id}-${version.version}.zip` };
    },
  };
}

import type { NodeVersion } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { PacksService } from '../packs/packs.service.ts';
import { unknownVersion } from '../publishers/permissions.ts';
import { type LinkMaker, toNodeVersion } from '../to-wire.ts';
import { normaliseVersion } from '../versions/version-order.ts';
import { findVersion, newestActive } from '../versions/versions.repo.ts';
import type { Downloads } from './downloads.ts';

interface Parts {
  readonly db: Db;
  readonly packs: PacksService;
  readonly downloads: Downloads;
  readonly links: LinkMaker;
}

export type InstallService = ReturnType<typeof createInstallService>;

export function createInstallService({ db, packs, downloads, links }: Parts) {
  const byNumber = async (packId: string, number: string): Promise<PackVersionRow> => {
    const version = await findVersion(db, packId, number);
    if (
      !version ||
      version.status === 'deleted' ||
      version.status === 'pending' ||
      version.file_hash === null
    ) {
      throw unknownVersion(packId, number);
    }
    if (version.status === 'banned') {
      throw new AppError('registry.banned', `Version ${number} of node "${packId}" is banned.`);
    }
    return version;
  };

  return {
    /** The version to install, and one more download. Flagged versions only by their number, banned ones never. */
    async install(packId: string, number: string | undefined): Promise<NodeVersion> {
      const wanted = number === undefined ? undefined : normaliseVersion(number);
      if (number !== undefined && wanted === undefined) {
        throw new AppError('request.invalid', `"${number}" is not a version such as 1.2.3.`);
      }
      const pack = await packs.visible(packId);
      const version =
        wanted === undefined ? await newestActive(db, pack.id) : await byNumber(pack.id, wanted);
      if (!version) {
        throw new AppError('resource.not_found', `Node "${pack.id}" has no version that can be installed.`);
      }
      downloads.count(pack.id);
      return toNodeVersion(version, links, { withReason: false });
    },

    /** The archive behind a download link: what may be installed may be downloaded. */
    async archive(packId: string, number: string): Promise<{ hash: string; name: string }> {
      const pack = await packs.visible(packId);
      const version = await byNumber(pack.id, number);
      return { hash: version.file_hash ?? '', name: `${pack.id}-${version.version}.zip` };
    },
  };
}

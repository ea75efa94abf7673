import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { PacksService } from '../packs/packs.service.ts';
import { findPublisher } from '../publishers/publishers.repo.ts';
import { attachArchive, findVersionById } from '../versions/versions.repo.ts';
import type { ArchiveChecks } from './archive-checks.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly packs: Pick<PacksService, 'visible'>;
  readonly checks: ArchiveChecks;
  readonly maxBytes: number;
}

export type UploadsService = ReturnType<typeof createUploadsService>;

/** Takes the archive of an announced version and has it checked. */
export function createUploadsService({ db, clock, files, packs, checks, maxBytes }: Parts) {
  return async (versionId: string, archive: AsyncIterable<Uint8Array>): Promise<void> => {
    const version = await findVersionById(db, versionId);
    if (!version) throw notFound('version', versionId);
    const pack = await packs.visible(version.pack_id);
    if (version.status !== 'pending') throw notWaiting();

    const { hash, size } = await files.put(archive, { maxBytes });
    if (!(await attachArchive(db, versionId, { file_hash: hash, file_size: size, updated_at: clock() }))) {
      throw notWaiting();
    }
    const { publisher_id: publisher } = pack;
    const account = (await findPublisher(db, publisher))?.created_by ?? publisher;
    checks.enqueue({ account, publisher }, versionId);
  };
}

function notWaiting(): AppError {
  return new AppError('registry.version_state', 'This version does not wait for an archive any more.');
}

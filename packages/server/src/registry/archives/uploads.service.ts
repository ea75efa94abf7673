import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { visiblePack } from '../permissions.ts';
import { attachArchive, findVersionById } from '../versions/versions.repo.ts';
import type { ArchiveChecks } from './archive-checks.ts';

interface Parts extends ServiceParts {
  readonly files: FileStore;
  readonly checks: ArchiveChecks;
  readonly maxBytes: number;
}

export type UploadsService = ReturnType<typeof createUploadsService>;

export function createUploadsService({ db, clock, files, checks, maxBytes }: Parts) {
  return async (versionId: string, archive: AsyncIterable<Uint8Array>): Promise<void> => {
    const version = await findVersionById(db, versionId);
    if (!version) throw notFound('version', versionId);
    const { publisher } = await visiblePack(db, version.pack_id);
    if (version.status !== 'pending') throw notWaiting();

    const { hash, size } = await files.put(archive, { maxBytes });
    if (!(await attachArchive(db, versionId, { file_hash: hash, file_size: size, updated_at: clock() }))) {
      throw notWaiting();
    }
    checks.enqueue({ account: publisher.created_by ?? publisher.id, publisher: publisher.id }, versionId);
  };
}

function notWaiting(): AppError {
  return new AppError('registry.version_state', 'This version no longer waits for an archive.');
}

import type { Readable } from 'node:stream';

import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { notFound } from '../platform/errors/app-error.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { Secret } from '../platform/secret.ts';
import { createExportUser } from './export-user.ts';
import { storageRoutes } from './storage.routes.ts';
import { createStorageLinks } from './storage-links.ts';
import { createUploadsService } from './uploads.service.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  /** Shared with nobody: a sweep deletes what no upload has. */
  readonly files: FileStore;
  readonly linkKey: Secret<Uint8Array>;
  readonly baseUrl: () => string;
  readonly maxFileBytes: number;
  readonly maxAccountBytes: number;
}

export function createStorage(parts: Parts) {
  const { db, clock, files, linkKey, baseUrl, maxFileBytes, maxAccountBytes } = parts;
  const links = createStorageLinks({ key: linkKey, baseUrl, clock });
  const uploads = createUploadsService({ db, clock, files, links, maxFileBytes, maxAccountBytes });
  return {
    routes: storageRoutes({ uploads, links, files, maxFileBytes }),
    /** The bytes behind a download link of ours; `undefined` for any other URL. Throws as the link's own route does. */
    async openLink(url: string): Promise<Readable | undefined> {
      const link = links.parseDownload(url);
      if (!link) return undefined;
      links.verifyDownload(link.id, link.name, link.seal);
      const { hash, name } = await uploads.served(link.id);
      const opened = await files.open(hash);
      if (!opened) throw notFound('file', name);
      return opened.stream;
    },
    userData: { delete: uploads.deleteAllOf },
    exportUser: createExportUser(db, files),
    tidy: uploads.tidy,
  };
}

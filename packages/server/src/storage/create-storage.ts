import type { Readable } from 'node:stream';

import { notFound } from '../platform/errors/app-error.ts';
import type { Secret } from '../platform/secret.ts';
import { createExportUser } from './export-user.ts';
import { storageRoutes } from './storage.routes.ts';
import { createStorageLinks } from './storage-links.ts';
import { createUploadsService, type UploadsParts } from './uploads.service.ts';

interface Parts extends Omit<UploadsParts, 'links'> {
  readonly linkKey: Secret<Uint8Array>;
  readonly baseUrl: () => string;
}

export function createStorage(parts: Parts) {
  const { db, clock, files, linkKey, baseUrl, maxFileBytes } = parts;
  const links = createStorageLinks({ key: linkKey, baseUrl, clock });
  const uploads = createUploadsService({ ...parts, links });
  return {
    routes: storageRoutes({ uploads, links, files, maxFileBytes }),
    /** The bytes behind a download link of this server; `undefined` for any other URL. Throws like the link's route. */
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

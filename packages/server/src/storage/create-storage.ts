import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { App } from '../platform/http/route-config.ts';
import type { Secret } from '../platform/secret.ts';
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

export interface Storage {
  readonly routes: (app: App) => Promise<void>;
  /** Removes uploads past their life. Called now and then. */
  tidy(): Promise<void>;
}

export function createStorage(parts: Parts): Storage {
  const { db, clock, files, linkKey, baseUrl, maxFileBytes, maxAccountBytes } = parts;
  const links = createStorageLinks({ key: linkKey, baseUrl, clock });
  const uploads = createUploadsService({ db, clock, files, links, maxFileBytes, maxAccountBytes });
  return {
    routes: storageRoutes({ uploads, links, files, maxFileBytes }),
    tidy: uploads.tidy,
  };
}

import { createInspector } from '@atelier/inspection';
import type { Audit } from '../platform/audit/audit.service.ts';
import { engineOf } from '../platform/db/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { App } from '../platform/http/route-config.ts';
import { repeatEvery } from '../platform/repeat-every.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { createArchiveChecks } from './archives/archive-checks.ts';
import { archivesRoutes } from './archives/archives.routes.ts';
import { createDownloads } from './archives/downloads.ts';
import { createInstallService } from './archives/install.service.ts';
import { createUploadLinks } from './archives/upload-links.ts';
import { createUploadsService } from './archives/uploads.service.ts';
import { readRevision } from './catalogue/catalogue.repo.ts';
import { catalogueRoutes } from './catalogue/catalogue.routes.ts';
import { createCatalogueService } from './catalogue/catalogue.service.ts';
import { createCatalogueCache } from './catalogue/catalogue-cache.ts';
import type { Directory } from './common-parts.ts';
import { innerNodesRoutes } from './inner-nodes/inner-nodes.routes.ts';
import { createInnerNodesService } from './inner-nodes/inner-nodes.service.ts';
import { createChangePack } from './packs/change-pack.ts';
import { packsRoutes } from './packs/packs.routes.ts';
import { createPacksService } from './packs/packs.service.ts';
import { membersRoutes } from './publishers/members.routes.ts';
import { createMembersService } from './publishers/members.service.ts';
import { createPublisherTokensService } from './publishers/publisher-tokens.service.ts';
import { publishersRoutes } from './publishers/publishers.routes.ts';
import { createPublishersService } from './publishers/publishers.service.ts';
import type { LinkMaker } from './to-wire.ts';
import { createExportUser, createUserData } from './user-data.ts';
import { createPublishService } from './versions/publish.service.ts';
import { versionsRoutes } from './versions/versions.routes.ts';
import { createVersionsService } from './versions/versions.service.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
const SWEEP_MS = 60_000;
const INSPECTION_THREADS = 2;
/** On SQLite this server makes every change. On PostgreSQL the changes of other servers are visible this much later. */
const REVISION_MAX_AGE_MS = { sqlite: Number.POSITIVE_INFINITY, postgres: 1000 } as const;

interface Parts extends ServiceParts {
  readonly audit: Audit;
  readonly files: FileStore;
  readonly directory: Directory;
  readonly uploadKey: Secret<Uint8Array>;
  readonly baseUrl: () => string;
  readonly maxArchiveBytes: number;
  readonly onError: (error: unknown) => void;
}

export function createRegistry(parts: Parts) {
  const { db, clock, audit, files, directory, uploadKey, baseUrl, maxArchiveBytes, onError } = parts;
  const cache = createCatalogueCache({
    clock,
    readRevision: async () => await readRevision(db),
    revisionMaxAgeMs: REVISION_MAX_AGE_MS[engineOf(db)],
    maxBytes: CACHE_BYTES,
  });
  const catalogueChanged = () => cache.changed();
  const links: LinkMaker = {
    downloadUrl: ({ pack_id: packId, version }) =>
      `${baseUrl()}/registry/archives/${encodeURIComponent(packId)}/${encodeURIComponent(version)}/node.zip`,
  };
  const changePack = createChangePack({ db, clock, catalogueChanged });
  const common = { db, clock, audit, links, directory, catalogueChanged, changePack };

  const publishers = createPublishersService(common);
  const members = createMembersService(common);
  const tokens = createPublisherTokensService(common);
  const packs = createPacksService(common);
  const versions = createVersionsService(common);
  const uploadLinks = createUploadLinks({ key: uploadKey, baseUrl, clock });
  const publish = createPublishService({ ...common, tokens, uploadLinks });
  const checks = createArchiveChecks({
    ...common,
    files,
    inspector: createInspector({ threads: INSPECTION_THREADS }),
    concurrency: INSPECTION_THREADS,
    onError,
  });
  const upload = createUploadsService({ db, clock, files, checks, maxBytes: maxArchiveBytes });
  const downloads = createDownloads(db, onError);
  const install = createInstallService({ db, downloads, links });
  const catalogue = createCatalogueService({ db, cache, links });
  const innerNodes = createInnerNodesService({ db });
  let stopSweeping = async (): Promise<void> => {};

  return {
    userData: createUserData({ ...common, publishers }),
    exportUser: createExportUser(db),
    async routes(app: App): Promise<void> {
      await publishersRoutes({ publishers })(app);
      await membersRoutes({ members, tokens })(app);
      await packsRoutes({ packs })(app);
      await catalogueRoutes({ catalogue, install })(app);
      await versionsRoutes({ publish, versions })(app);
      await innerNodesRoutes({ innerNodes, catalogue })(app);
      await archivesRoutes({ upload, uploadLinks, install, files, maxBytes: maxArchiveBytes })(app);
    },
    /** Also checks the archives that an earlier server left unchecked. */
    start(): void {
      void checks.sweep().catch(onError);
      stopSweeping = repeatEvery(SWEEP_MS, checks.sweep, onError);
    },
    async close(): Promise<void> {
      await stopSweeping();
      await checks.close();
      await downloads.close();
    },
  };
}

import { join } from 'node:path';
import { createCatalogue, loadPacks, type NodeCatalogue, PackError } from '@atelier/engine';

import { createAccounts } from './accounts/create-accounts.ts';
import { createApp } from './app.ts';
import type { Config } from './config/load-config.ts';
import { objectInfoRoutes } from './host/object-info.routes.ts';
import { systemClock } from './platform/clock.ts';
import { claimDataFolder } from './platform/data-folder.ts';
import type { Db } from './platform/db/database.ts';
import { openPostgres, openSqlite } from './platform/db/open-database.ts';
import { serverSecret } from './platform/db/server-secrets.repo.ts';
import { everyNowAndThen } from './platform/every-now-and-then.ts';
import { filesRoutes } from './platform/files/files.routes.ts';
import { createLocalFileStore } from './platform/files/local-file-store.ts';
import { createUrlSigner } from './platform/files/signed-urls.ts';
import type { App } from './platform/http/route-config.ts';
import type { Logger } from './platform/log/create-logger.ts';
import { createMetrics } from './platform/metrics/create-metrics.ts';
import { parseAllowList } from './platform/net/allow-list.ts';
import { createOutbound } from './platform/net/outbound.ts';
import { StartError } from './platform/start-error.ts';
import { createRegistry } from './registry/create-registry.ts';
import { createStorage } from './storage/create-storage.ts';

const TIDY_MS = 10 * 60_000;

export interface Atelier {
  readonly app: App;
  readonly bootstrapFile: string | undefined;
  /** Ends background work and gives back what `compose` took, in the opposite order. The app is closed first. */
  release(): Promise<void>;
}

/** The one place where parts meet. */
export async function compose(config: Config, log: Logger): Promise<Atelier> {
  const releases: (() => void | Promise<void>)[] = [];
  const release = async (): Promise<void> => {
    for (const step of releases.splice(0).toReversed()) await step();
  };
  try {
    const clock = systemClock;
    const folder = await claimDataFolder(config.dataFolder);
    releases.push(folder.release);
    const db = await openDatabase(config, log);
    releases.push(async () => await db.destroy());

    const { oidc, ...accountSettings } = config.accounts;
    const outsideIssuer = oidc && {
      ...oidc,
      outbound: outboundTo([...config.outbound.allow, new URL(oidc.jwksUrl).host]),
    };
    if (outsideIssuer) releases.push(outsideIssuer.outbound.close);
    const { publicUrl } = config.http;
    const accounts = await createAccounts({
      db,
      clock,
      dataFolder: folder.path,
      publicUrl,
      ...accountSettings,
      oidc: outsideIssuer,
    });

    const baseUrl = () => publicUrl ?? app.listeningOrigin;
    const secret = async (name: string) => await serverSecret(db, name, { bytes: 32, now: clock() });
    const onError = (error: unknown) => log.error({ err: error }, 'work in the background failed');
    const signer = createUrlSigner({ key: await secret('file-links'), baseUrl, clock });
    const files = await createLocalFileStore({ folder: join(folder.path, 'files'), signer });
    const registry = createRegistry({
      db,
      clock,
      files,
      directory: accounts.directory,
      uploadKey: await secret('pack-uploads'),
      baseUrl,
      maxArchiveBytes: config.registry.maxArchiveBytes,
      onError,
    });
    releases.push(registry.close);
    const storage = createStorage({
      db,
      clock,
      // A store of its own: what it deletes may be the same bytes as an archive.
      files: await createLocalFileStore({ folder: join(folder.path, 'uploads'), signer }),
      linkKey: await secret('storage-links'),
      baseUrl,
      ...config.storage,
    });

    const nodeTypes = createNodeTypes(config.engine.packFolders);
    // A pack that cannot be loaded is told now, not when somebody asks.
    if (config.engine.packFolders.length > 0) await nodeTypes();

    const app = await createApp({
      log,
      metrics: createMetrics(),
      publicUrl,
      trustedProxies: config.http.trustedProxies,
      authenticate: accounts.authenticator.authenticate,
      identify: accounts.authenticator.identify,
      routes: [
        accounts.routes,
        registry.routes,
        storage.routes,
        filesRoutes({ store: files, signer }),
        // Nobody has files in folders yet, so combos of files have no choices.
        objectInfoRoutes({ nodeTypes, files: { list: async () => await Promise.resolve([]) } }),
      ],
    });
    releases.push(everyNowAndThen(TIDY_MS, accounts.tidy, onError));
    releases.push(everyNowAndThen(TIDY_MS, storage.tidy, onError));
    registry.start();

    return { app, bootstrapFile: accounts.bootstrapFile, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function openDatabase(config: Config, log: Logger): Promise<Db> {
  const { url, poolSize } = config.database;
  if (!url) return await openSqlite(join(config.dataFolder, 'atelier.sqlite'));
  const onIdleError = (error: Error) => log.warn({ err: error }, 'idle database connection lost');
  return await openPostgres({ url, poolSize, onIdleError });
}

/** Loaded at the first use: the built-in types are some 300 modules, which cost 30 MB and half a second. */
function createNodeTypes(folders: readonly string[]): () => Promise<NodeCatalogue> {
  const modules = [import.meta.resolve('@atelier/nodes')];
  const load = async (): Promise<NodeCatalogue> => {
    try {
      return createCatalogue(await loadPacks({ modules, folders }));
    } catch (error) {
      throw error instanceof PackError
        ? new StartError(`${error.message} See ATELIER_NODE_PACKS.`, { cause: error })
        : error;
    }
  };
  let loaded: Promise<NodeCatalogue> | undefined;
  return async () => {
    loaded ??= load();
    return await loaded;
  };
}

function outboundTo(allow: readonly string[]) {
  return createOutbound({ allow: parseAllowList(allow).allow });
}

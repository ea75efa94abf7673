import { join } from 'node:path';
import { SERVER_FEATURES } from '@atelier/contracts';
import { createAccounts } from './accounts/create-accounts.ts';
import { createApp } from './app.ts';
import { createCloud } from './cloud/create-cloud.ts';
import { isSocketUpgrade } from './cloud/events/socket.routes.ts';
import { isWorkerUpgrade } from './cloud/workers/worker-socket.routes.ts';
import type { Config } from './config/load-config.ts';
import { settingsRoutes } from './config/settings.routes.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { createConsoleBuild } from './console/console-build.ts';
import { editorRoutes, withoutEditorPath } from './editor/editor.routes.ts';
import { editorFolder, hasEditor } from './editor/pinned-editor.ts';
import { createHost } from './host/create-host.ts';
import { auditRoutes } from './platform/audit/audit.routes.ts';
import { createAudit } from './platform/audit/audit.service.ts';
import { checkNats } from './platform/bus/nats-connection.ts';
import { linkFor } from './platform/bus/open-link.ts';
import { claimDataFolder } from './platform/data-folder.ts';
import type { Db } from './platform/db/database.ts';
import { openDatabaseClock } from './platform/db/database-clock.ts';
import { assertStillCurrent } from './platform/db/migrate.ts';
import { type BeforeMigration, openPostgres, openSqlite } from './platform/db/open-database.ts';
import { type ServerKey, serverSecret } from './platform/db/server-secrets.repo.ts';
import { messageOf } from './platform/errors/message-of.ts';
import { outageOf } from './platform/errors/outages.ts';
import { createStores } from './platform/files/create-stores.ts';
import { filesRoutes } from './platform/files/files.routes.ts';
import { firstOf } from './platform/files/first-of.ts';
import { checkFolders, markFolders, readMarksBeforeMigration } from './platform/files/mark-folders.ts';
import { openSignedLink } from './platform/files/open-signed-link.ts';
import { checkS3 } from './platform/files/s3/check-s3.ts';
import { askBucket, checkBucket, markBucket } from './platform/files/s3/mark-bucket.ts';
import { openS3 } from './platform/files/s3/s3-client.ts';
import { createUrlSigner } from './platform/files/signed-urls.ts';
import { createFreeSpace } from './platform/free-space.ts';
import { createHealth } from './platform/health.ts';
import type { Logger } from './platform/log/create-logger.ts';
import { measureHealth } from './platform/measure-health.ts';
import { createMetrics } from './platform/metrics/create-metrics.ts';
import { parseAllowList } from './platform/net/allow-list.ts';
import { createOutbound } from './platform/net/outbound.ts';
import { repeatEvery } from './platform/repeat-every.ts';
import { StartError } from './platform/start-error.ts';
import { createProxy } from './proxy/create-proxy.ts';
import { createAdapters } from './proxy/vendors/all-vendors.ts';
import { createRegistry } from './registry/create-registry.ts';
import { createStorage } from './storage/create-storage.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

/** Part of every installation. */
const EXAMPLES_FOLDER = join(import.meta.dirname, '../../../examples/workflows');
const TIDY_MS = 10 * 60_000;

export type Atelier = Awaited<ReturnType<typeof compose>>;

/**
 * The one place where parts meet. With `works: false`, for commands that only call routes, nothing is started in the background.
 */
export async function compose(config: Config, log: Logger, { works = true } = {}) {
  // Everything taken so far is released in reverse order, also when the start fails.
  await using cleanup = new AsyncDisposableStack();
  // Before anything is written anywhere.
  const s3 = config.s3 && (await openS3(config.s3));
  if (s3) {
    cleanup.defer(s3.close);
    await checkS3(s3);
  }
  if (config.nats) await checkNats(config.nats);
  const folder = await claimDataFolder(config.dataFolder);
  cleanup.defer(folder.release);
  // Folders that several servers share.
  const shared = ['outputs', 'tasks', 'users'].map((name) => join(folder.path, name));
  const db = await openDatabase(config, log, async (found) => {
    const marks = found ? await readMarksBeforeMigration(found) : {};
    await (s3 ? checkBucket(marks, s3) : checkFolders(marks, shared));
  });
  cleanup.defer(async () => await db.destroy());
  const time = await openDatabaseClock(db, {
    onSkew: (aheadMs) =>
      log.warn({ aheadMs }, "the clock of this machine differs from PostgreSQL's, which is used instead"),
    onError: (error) => log.warn({ err: error }, 'the clock of PostgreSQL could not be read'),
  });
  cleanup.defer(time.close);
  const { clock } = time;
  const installation = s3 ? await markBucket(db, s3, clock()) : await markFolders(db, shared, clock());

  const metrics = createMetrics({
    onError: (error) => log.warn({ err: error }, 'a measurement is missing'),
  });
  const { oidc, ...accountSettings } = config.accounts;
  const outsideIssuer = oidc && {
    ...oidc,
    outbound: outboundTo([...config.outbound.allow, hostOf(oidc.jwksUrl), hostOf(oidc.issuer)]),
  };
  if (outsideIssuer) cleanup.defer(outsideIssuer.outbound.close);
  const { publicUrl } = config.http;
  const { limits } = config;
  const secret = async (name: ServerKey) => await serverSecret(db, name, clock());
  const audit = createAudit({ db, clock });
  const accounts = await createAccounts({
    db,
    clock,
    audit,
    dataFolder: folder.path,
    publicUrl,
    ...accountSettings,
    addressKey: await secret('sign-in-addresses'),
    deviceCodeKey: await secret('device-codes'),
    ticketKey: await secret('outside-sign-ins'),
    operatorKey: await secret('operators'),
    onRevoked: (userId) => cloud.recheck(userId),
    onLimit: async (userId, limit) => await cloud.setLimit(userId, limit),
    ownerOfJobCredential: async (credential) => await cloud.ownerOfJobCredential(credential),
    oidc: outsideIssuer,
  });

  // Remembered, because a stopping server still answers when it no longer has an address.
  let origin: string | undefined;
  const localUrl = () => {
    if (origin === undefined) throw new Error('The server does not listen yet.');
    return origin;
  };
  const baseUrl = () => publicUrl ?? localUrl();
  const onError = (error: unknown) => {
    health.note(error);
    log.error({ code: outageOf(error)?.code, err: error }, 'background work failed');
  };
  const space = createFreeSpace({
    folder: folder.path,
    minFreeBytes: config.minFreeBytes,
    clock,
    onChange: (isLow, freeBytes) =>
      isLow
        ? log.error({ freeBytes }, 'the disk is almost full, and no new work is accepted')
        : log.info({ freeBytes }, 'the disk has room for new work again'),
    onError,
  });
  const health = createHealth({
    db,
    clock,
    dataFolder: folder.path,
    space,
    askStore: s3 && (async () => await askBucket(s3)),
    onError: (error) => log.error({ code: outageOf(error)?.code, err: error }, 'not healthy'),
  });
  measureHealth(metrics, { health, space });
  const signer = createUrlSigner({ key: await secret('file-links'), baseUrl, clock });
  const reporting = { metrics, log, onError, onRefused: health.noteRefusedFile };
  const openStore = createStores({ folder: folder.path, s3, signer, cleanup, ...reporting });
  const files = await openStore('files');
  const registry = createRegistry({
    db,
    clock,
    audit,
    files,
    directory: accounts.directory,
    uploadKey: await secret('pack-uploads'),
    baseUrl,
    maxArchiveBytes: limits.maxArchiveBytes,
    onError,
  });
  cleanup.defer(registry.close);
  const storage = createStorage({
    db,
    clock,
    // A store of its own: the bytes it deletes may also be those of an archive.
    files: await openStore('uploads'),
    linkKey: await secret('storage-links'),
    baseUrl,
    maxFileBytes: limits.maxUploadBytes,
    ...config.storage,
  });

  const outbound = outboundTo(config.outbound.allow);
  cleanup.defer(outbound.close);
  const webhooks = createWebhooks({
    db,
    clock,
    audit,
    outbound,
    secretKey: await secret('webhook-secrets'),
    findPeople: accounts.directory.findByIds,
    meters: metrics,
    onError,
  });
  cleanup.defer(webhooks.close);
  // Commands leave sending to servers.
  const deliveries = works ? webhooks : { ...webhooks, wake() {} };
  const taskFiles = await openStore('tasks');
  const { subscriptions, authenticator, credits } = accounts;
  const { runners, runnerMemoryBytes: memoryBytes, jobMs, ...cloudSettings } = config.cloud;
  const outputs = await openStore('outputs');
  const features = { ...SERVER_FEATURES, max_upload_size: limits.maxInputBytes };
  const cloud = createCloud({
    ...cloudSettings,
    db,
    audit,
    installation,
    openLink: linkFor({ databaseUrl: config.database.url, nats: config.nats, installation }),
    clock,
    store: outputs,
    usersFolder: join(folder.path, 'users'),
    namesIn: s3 ? 'database' : 'folder',
    ownWorkers: {
      builtIn:
        runners === 0
          ? undefined
          : { slots: runners, memoryBytes, jobMs, packFolders: config.engine.packFolders },
      comfyuiUrls: config.engine.comfyuiUrls,
      // Without S3 they work in the folders of users.
      cacheFolder: s3 && join(folder.path, 'worker-cache'),
      serverUrl: localUrl,
    },
    log,
    features,
    uploadLimits: { maxFileBytes: limits.maxInputBytes, maxBodyBytes: limits.maxFormBytes },
    publicUrl,
    baseUrl,
    partnerSecret: await secret('partner-keys'),
    linkSecret: await secret('upload-grants'),
    ownerOfKey: authenticator.ownerOfKey,
    authenticate: authenticator.authenticate,
    limitOf: subscriptions.limitOf,
    findPeople: accounts.directory.findByIds,
    webhooks: deliveries,
    meters: metrics,
    onError,
  });
  cleanup.defer(cloud.close);
  const host = createHost({
    db,
    installation,
    clock,
    nodeTypes: cloud.nodeTypes,
    models: cloud.models,
    limitOf: subscriptions.limitOf,
    filesOf: cloud.filesOf,
    listFiles: cloud.listFiles,
    lastOutputs: cloud.lastOutputs,
    findPeople: accounts.directory.findByIds,
    countsOf: cloud.countsOf,
    storageOf: cloud.storageOf,
    assetUse: cloud.assetUse,
    storageBytes: config.cloud.storageBytes,
    features,
    hasEditor: () => hasEditor(folder.path),
    maxUserDataBytes: limits.maxUserDataBytes,
    examplesFolder: EXAMPLES_FOLDER,
  });

  const { accounts: vendorAccounts, renderers, ...proxySettings } = config.proxy;
  // The likeliest first, because they are asked in turn.
  const served = firstOf(outputs, taskFiles, files);
  const proxy = createProxy({
    ...proxySettings,
    db,
    clock,
    store: taskFiles,
    workFolder: join(folder.path, 'work'),
    outbound,
    openOwnLink: async (url) =>
      (await openSignedLink({ url, signer, served })) ?? (await storage.openLink(url)),
    credits,
    countStorage: cloud.countStorage,
    webhooks: deliveries,
    maxPictureBytes: limits.maxInputBytes,
    maxBodyBytes: limits.maxTaskBodyBytes,
    adapters: createAdapters({
      accounts: vendorAccounts,
      renderers,
      outboundTo: (vendor) => outboundTo([...config.outbound.allow, vendor]),
    }),
    callbackKey: await secret('vendor-callbacks'),
    publicUrl,
    meters: metrics,
    onError,
  });
  cleanup.defer(proxy.close);
  // Webhooks last: the others write deliveries.
  for (const { exportUser } of [host, cloud, proxy, storage, webhooks, registry])
    accounts.addExport(exportUser);
  for (const { userData } of [registry, storage, cloud, proxy, webhooks]) accounts.addUserData(userData);

  const consoleBuild = config.hasConsole ? createConsoleBuild({ log }) : undefined;
  if (consoleBuild) cleanup.defer(consoleBuild.close);
  const app = await createApp({
    log,
    metrics,
    health,
    refusal: space.refusal,
    publicUrl,
    hasConsole: config.hasConsole,
    trustedProxies: config.http.trustedProxies,
    authenticate: authenticator.authenticate,
    identify: authenticator.identify,
    shouldUpgrade: (request) => {
      // Runs first, so that everything later sees the rewritten URL.
      request.url = withoutEditorPath(request.url ?? '/');
      return isSocketUpgrade(request) || isWorkerUpgrade(request);
    },
    rewriteUrl: withoutEditorPath,
    routes: [
      accounts.routes,
      registry.routes,
      storage.routes,
      filesRoutes({ store: served, signer }),
      webhooks.routes,
      proxy.routes,
      cloud.routes,
      host.routes,
      ...(consoleBuild ? [consoleRoutes({ build: consoleBuild })] : []),
      auditRoutes({ audit, findPeople: accounts.directory.findByIds }),
      settingsRoutes({ settings: config.shown }),
      editorRoutes({ folder: editorFolder(folder.path) }),
    ],
  });
  if (works) {
    for (const { tidy } of [accounts, storage, webhooks, proxy, cloud]) {
      cleanup.defer(repeatEvery(TIDY_MS, tidy, onError));
    }
    // Reports a pack that cannot be loaded now, not at the first request.
    if (config.engine.packFolders.length > 0) {
      await cloud.load().catch((error: unknown) => {
        throw new StartError(`${messageOf(error)} See ATELIER_NODE_PACKS.`, {
          cause: error,
        });
      });
    }
    registry.start();
    await webhooks.start();
    await proxy.start();
    await cloud.start();
    await assertStillCurrent(db);
    // Nodes call this server, so it must listen before jobs run.
    app.server.once('listening', () => {
      // Clients cannot connect to a wildcard address.
      origin = app.listeningOrigin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
      cloud.run();
      try {
        folder.noteAddress(origin);
      } catch (error) {
        // Only needed by commands on this machine.
        onError(error);
      }
    });
  } else {
    await cloud.start();
    await cloud.waitForOtherServers();
  }
  const taken = cleanup.move();
  return {
    app,
    firstStart: accounts.firstStart,
    /** From now on `/ready` tells load balancers to use other servers. */
    drain: health.drain,
    /** Stops background work and releases everything. The app must be closed first. */
    release: async () => await taken.disposeAsync(),
  };
}

async function openDatabase(config: Config, log: Logger, beforeMigration: BeforeMigration): Promise<Db> {
  const { url, poolSize } = config.database;
  if (!url) return await openSqlite(join(config.dataFolder, 'atelier.sqlite'), beforeMigration);
  const onLost = (error: Error) => log.warn({ err: error }, 'database connection lost');
  return await openPostgres({ url, poolSize, onLost, beforeMigration });
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function outboundTo(allow: readonly string[]) {
  return createOutbound({ allow: parseAllowList(allow).allow });
}

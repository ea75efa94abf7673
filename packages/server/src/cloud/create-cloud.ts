import type { WorkerMessages } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import type { Audit } from '../platform/audit/audit.service.ts';
import type { OpenLink } from '../platform/bus/link.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { AssetRow } from '../platform/db/schema/cloud.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { Actor } from '../platform/http/actor.ts';
import type { App } from '../platform/http/route-config.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/log/create-logger.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Secret } from '../platform/secret.ts';
import { administrationRoutes } from './administration.routes.ts';
import { createAssets } from './assets/create-assets.ts';
import { createCancelJobs } from './cancel-jobs.ts';
import { createEvents } from './events/create-events.ts';
import { readKeptEvents } from './events/kept-events.repo.ts';
import type { KeptEvent } from './events/live-jobs.ts';
import { createUserBus } from './events/user-bus.ts';
import { createExportUser } from './export-user.ts';
import { createFiles } from './files/create-files.ts';
import { nameAssets } from './files/name-assets.ts';
import { listNewestFiles } from './files/newest-files.repo.ts';
import type { FormLimits } from './files/uploads/upload-form.ts';
import { findJobEnd, listWaiting } from './job-ends.repo.ts';
import { createJobWebhooks, type Enqueue } from './job-webhooks.ts';
import { createJobs } from './jobs/create-jobs.ts';
import { readLastOutputs } from './last-outputs.repo.ts';
import { measureJobs } from './measure-jobs.ts';
import { measureUse } from './measure-use.ts';
import { forgetOldJobs } from './old-jobs.ts';
import { createPartnerKeys } from './partner-keys.ts';
import { createJobQueue, LEASE_MS } from './queue/create-job-queue.ts';
import type { EndedJob, QueueCounts } from './queue/job-queue.ts';
import { createQueueHistory } from './queue-history.ts';
import { createRuns } from './runs/create-runs.ts';
import { readStorageReport } from './storage-report.ts';
import { createValidator } from './submit/create-validator.ts';
import { submitRoutes } from './submit/submit.routes.ts';
import { createSubmitService } from './submit/submit.service.ts';
import { createJobWaiter } from './submit/wait-for-job.ts';
import { sumAssets } from './use.repo.ts';
import { createUserData } from './user-data.ts';
import { createV2 } from './v2/create-v2.ts';
import { waitForOtherServers } from './wait-for-other-servers.ts';
import { createWaitingNotices } from './waiting-notices.ts';
import { createFleet, type OwnWorkers } from './workers/create-fleet.ts';
import { workerFilesRoutes } from './workers/files/worker-files.routes.ts';
import { createWorkerFiles } from './workers/files/worker-files.service.ts';
import type { Takeover } from './workers/open-session.ts';

interface Parts {
  readonly db: Db;
  readonly audit: Pick<Audit, 'add'>;
  /** Names all servers on this database. */
  readonly installation: string;
  /** What carries messages between the servers of one database; without it there is one. */
  readonly openLink: OpenLink | undefined;
  readonly clock: Clock;
  /** Shared with nobody: a sweep deletes what no asset has. */
  readonly store: FileStore;
  readonly usersFolder: string;
  readonly namesIn: 'folder' | 'database';
  /** The worker that this server starts itself, if any. */
  readonly ownWorkers: OwnWorkers;
  readonly log: Logger;
  readonly sliceMs: number;
  readonly storageBytes: number;
  readonly outputMs: number;
  readonly tempMs: number;
  readonly streamsPerUser: number;
  readonly features: Readonly<Record<string, unknown>>;
  readonly uploadLimits: FormLimits;
  readonly publicUrl: string | undefined;
  /** Where this server is reached, for links. */
  readonly baseUrl: () => string;
  /** Whether the Comfy API v2 converts what the editor saves. */
  readonly convertsEditorFormat: boolean;
  readonly partnerSecret: Secret<Uint8Array>;
  readonly linkSecret: Secret<Uint8Array>;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly ownerOfKey: (key: string) => Promise<Pick<Actor, 'userId' | 'scopes'> | undefined>;
  readonly limitOf: (userId: string) => Promise<number>;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly email: string }[]>;
  readonly webhooks: {
    readonly enqueue: Enqueue;
    readonly assertUrl: (url: string) => Promise<void>;
    readonly wake: () => void;
  };
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
}

/** Workflows: takes them in, queues and runs them, reports what happens and keeps what they make. */
export function createCloud(parts: Parts) {
  const { db, clock, limitOf, webhooks, meters, onError } = parts;
  const partnerKeys = createPartnerKeys(parts.partnerSecret);
  const onChanged = createJobWebhooks({ enqueue: webhooks.enqueue, clock });
  const server = newId();
  const queue = createJobQueue({ db, clock, runner: server, onChanged });
  const { countsOf } = queue;
  const sharing = createUserBus({
    openLink: parts.openLink,
    countsOf,
    clock,
    stallMs: LEASE_MS,
    meters,
    onError,
  });
  const { bus } = sharing;
  const history = createQueueHistory({ db, clock, onError });
  const measured = measureJobs({ queue, db, clock, meters, notes: history.notes });
  const events = createEvents({
    ...parts,
    bus,
    presentElsewhere: sharing.presentElsewhere,
    hearsOthers: sharing.hearsOthers,
    countsOf,
    keptEventsOf: async (userId, jobId) => await readKeptEvents(db, userId, jobId),
  });
  const { live, publishStatus: onStatus, tellEnd, tellEndMarker } = events;
  measureUse({ db, meters, countConnections: events.count });
  const { store, linkSecret: grantKey, usersFolder, storageBytes: quotaBytes, outputMs, tempMs } = parts;
  const { files, ...doors } = createFiles({
    db,
    clock,
    store,
    grantKey,
    folder: usersFolder,
    namesIn: parts.namesIn,
    quotaBytes,
    outputMs,
    tempMs,
    uploadLimits: parts.uploadLimits,
  });
  const statusOf = async (userId: string, jobId: string) => (await findJobEnd(db, userId, jobId))?.status;
  const notices = createWaitingNotices({
    waitingOf: async (userId, jobIds) => await listWaiting(db, userId, jobIds),
    countsOf,
    limitOf,
    whatIsMissing: async (needs) => await fleet.whatIsMissing(needs),
    hasListeners: bus.hasListeners,
    notify: events.notify,
    onError,
  });
  const fleet = createFleet({ ...parts, server, takeOver, onReady: () => runs.workerReady() });
  const { workers } = fleet;
  const workerFiles = createWorkerFiles({ db, clock, secret: parts.linkSecret, files, store });
  const runs = createRuns({
    clock,
    sliceMs: parts.sliceMs,
    queue: measured,
    live,
    workers,
    needs: fleet.needs,
    files,
    workerFiles,
    partnerKeys,
    statusOf,
    onStatus,
    tellHere: sharing.tellHere,
    tellEnded: (job, event, counts) => tellEnded(job, [event], counts),
    onStarted: notices.started,
    onWorkerLost: fleet.noteLost,
    cancel: async ({ userId, id }) => void (await cancel(userId, [id])),
    onLost: tellLost,
    onEnded: webhooks.wake,
    onError,
  });
  const cancel = createCancelJobs({
    queue: measured,
    live,
    clock,
    stopRun: runs.stop,
    tellEnd,
    tellEndMarker,
    onStatus,
    onEnded() {
      webhooks.wake();
      runs.wake();
    },
  });
  const validator = createValidator({
    nodeTypes: fleet.nodeTypes,
    askCheck: fleet.askCheck,
    places: files.places,
  });
  const submissions = createSubmitService({
    db,
    clock,
    queue,
    files,
    validate: validator.validate,
    partnerKeys,
    needs: fleet.needs,
    limitOf,
    ownerOfKey: parts.ownerOfKey,
    assertWebhookUrl: webhooks.assertUrl,
    nameAssets: async (userId, ids) => await nameAssets({ db, clock }, userId, ids),
    onAccepted(job, counts) {
      onStatus(job.userId, counts);
      notices.accepted(job);
      runs.wake();
      // A worker of another server may be ready.
      if (!workers.hasReady()) sharing.tellWork();
    },
  });
  const waiter = createJobWaiter({
    bus,
    findEnd: async (userId, jobId) => await findJobEnd(db, userId, jobId),
  });
  const jobs = createJobs({
    db,
    clock,
    audit: parts.audit,
    cancel,
    findPeople: parts.findPeople,
    liveOutputs: (jobId) => live.get(jobId)?.outputs(),
    liveTimeline: (jobId) => live.get(jobId)?.timeline(),
    whatIsMissing: fleet.whatIsMissing,
    linkTo: doors.linkTo,
    free(userId, { freeMemory }) {
      if (freeMemory) workers.forget(userId);
    },
  });
  const assets = createAssets({ db, clock, files, store, limits: parts.uploadLimits, onError });
  const v2 = createV2({
    db,
    clock,
    submissions,
    cancel,
    files,
    store,
    limits: parts.uploadLimits,
    streaming: events.streaming,
    liveTimeline: (jobId) => live.get(jobId)?.timeline(),
    baseUrl: parts.baseUrl,
    convertsEditorFormat: parts.convertsEditorFormat,
    keptMs: outputMs,
  });

  function tellEnded(
    job: { readonly id: string; readonly userId: string },
    kept: readonly KeptEvent[],
    counts: QueueCounts,
  ): void {
    for (const event of kept) tellEnd(job, event);
    onStatus(job.userId, counts);
    tellEndMarker(job);
  }

  /** A worker shows the key of an attempt that another server has given it. */
  async function takeOver(attempts: WorkerMessages['hello']['attempts']) {
    const taken: Takeover[] = [];
    for (const { attempt: id, key, hasHistory } of attempts) {
      const [jobId = '', attempt] = id.split('/');
      if (!hasHistory || key === undefined) continue;
      const isOwn = await workerFiles.open(jobId, Number(attempt), key).then(
        () => true,
        () => false,
      );
      const job = isOwn ? await measured.adopt(jobId, Number(attempt)) : undefined;
      if (!job) continue;
      const needs = await fleet.needs.get(job.needs);
      taken.push({ id, begin: (lane) => lane && runs.takeOver(job, needs, lane) });
    }
    return taken;
  }

  function tellLost(job: EndedJob): void {
    readKeptEvents(db, job.userId, job.id)
      .then((record) => {
        tellEnded(job, record?.events ?? [], job.counts);
        webhooks.wake();
        return undefined;
      })
      .catch(onError);
  }

  return {
    /** Credentials of the user may have ended: what is open with them ends, on every server. */
    recheck: sharing.tellRevoked,
    ownerOfJobCredential: async (credential: string) => await partnerKeys.ownerOf(db, credential),
    userData: createUserData({ db, cancel, files }),
    exportUser: createExportUser(db, store),
    countsOf,
    nodeTypes: async () => (await fleet.nodeTypes()).catalogue,
    models: fleet.models,
    /** Loads the node types of the built-in worker. Rejects when a pack cannot be loaded. */
    load: fleet.load,
    filesOf: files.places.namesOf,
    storageOf: files.usageOf,
    countStorage: files.countElsewhere,
    listFiles: async (userId: string, which: AssetRow['folder']) => await listNewestFiles(db, userId, which),
    assetUse: async (userId: string) => await sumAssets(db, userId),
    lastOutputs: async (userId: string, names: readonly string[]) => await readLastOutputs(db, userId, names),
    async setLimit(userId: string, limit: number): Promise<void> {
      await queue.setLimit(userId, limit);
      runs.wake();
    },
    async routes(app: App): Promise<void> {
      // Before requests are waited for: those that wait for a job, and jobs whose nodes call this server, would hold the stop up.
      app.addHook('preClose', async () => {
        waiter.close();
        runs.close().catch(onError);
      });
      await submitRoutes({ submissions, waiter, authenticate: parts.authenticate })(app);
      await jobs.routes(app);
      await events.routes(app);
      await doors.routes(app);
      await assets.routes(app);
      await v2.routes(app);
      const storageReport = async () => await readStorageReport(parts);
      await administrationRoutes({ queueHistory: history.read, storageReport })(app);
      await fleet.routes(app);
      await workerFilesRoutes(workerFiles)(app);
    },
    async start(): Promise<void> {
      await sharing.start({
        live,
        stopRun: runs.stop,
        onRevoked: events.recheck,
        onWork: runs.wake,
        onResume: runs.leaveAll,
        onMissed: events.endAll,
      });
      await measured.recoverAll();
    },
    /** Waits until all other servers are known: a short-lived command sends its events to known servers only. */
    waitForOtherServers: async (): Promise<void> => await waitForOtherServers(db, sharing.countOthers),
    run(): void {
      runs.start();
      history.start();
      fleet.start();
    },
    /** Removes what time has made worthless, and mends what has drifted. Called now and then. */
    async tidy(signal?: AbortSignal): Promise<void> {
      await queue.heal();
      await doors.tidy();
      await fleet.tidy();
      await forgetOldJobs({ db, now: clock(), keptMs: outputMs, signal });
    },
    async close(): Promise<void> {
      notices.close();
      await history.close();
      await runs.close();
      await fleet.close();
      await doors.close();
      await validator.close();
      await events.close();
      await sharing.close();
    },
  };
}

import type { WorkerMessages } from '@atelier/contracts';

import type { OpenLink } from '../platform/bus/link.ts';
import type { AssetRow } from '../platform/db/schema/cloud.ts';
import type { App } from '../platform/http/route-config.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/log/create-logger.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Secret } from '../platform/secret.ts';
import { administrationRoutes } from './administration.routes.ts';
import { createAssets } from './assets/create-assets.ts';
import { createCancelJobs } from './cancel-jobs.ts';
import { createEvents, type EventsParts } from './events/create-events.ts';
import { readKeptEvents } from './events/kept-events.repo.ts';
import type { KeptEvent } from './events/live-jobs.ts';
import { createUserBus } from './events/user-bus.ts';
import { createExportUser } from './export-user.ts';
import { listNewestFiles } from './files/assets.repo.ts';
import { createFiles } from './files/create-files.ts';
import type { UserFilesParts } from './files/create-user-files.ts';
import { nameAssets } from './files/name-assets.ts';
import type { FormLimits } from './files/uploads/upload-form.ts';
import { findJobEnd } from './job-ends.repo.ts';
import { createJobWebhooks, type Enqueue } from './job-webhooks.ts';
import type { AdminJobsParts } from './jobs/admin-jobs.service.ts';
import { createJobs } from './jobs/create-jobs.ts';
import { pickIds } from './jobs/jobs.repo.ts';
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
import { createSubmitService, type SubmitParts } from './submit/submit.service.ts';
import { createJobWaiter } from './submit/wait-for-job.ts';
import { sumAssets } from './use.repo.ts';
import { createUserData } from './user-data.ts';
import { createV2 } from './v2/create-v2.ts';
import type { V2JobsParts } from './v2/jobs.service.ts';
import { waitForOtherServers } from './wait-for-other-servers.ts';
import { createWaitingNotices } from './waiting-notices.ts';
import { createFleet, type OwnWorkers } from './workers/create-fleet.ts';
import { workerFilesRoutes } from './workers/files/worker-files.routes.ts';
import { createWorkerFiles } from './workers/files/worker-files.service.ts';
import type { Takeover } from './workers/open-session.ts';

interface Parts
  extends Pick<UserFilesParts, 'db' | 'clock' | 'store' | 'namesIn' | 'outputMs' | 'tempMs'>,
    Pick<EventsParts, 'authenticate' | 'features' | 'onError' | 'publicUrl' | 'streamsPerUser'>,
    Pick<SubmitParts, 'limitOf' | 'ownerOfKey'>,
    Pick<AdminJobsParts, 'audit' | 'findPeople'>,
    Pick<V2JobsParts, 'convertsEditorFormat'> {
  /** Identifies all servers on this database. */
  readonly installation: string;
  /** Carries messages between the servers of one database; `undefined` when there is only one. */
  readonly openLink: OpenLink | undefined;
  readonly usersFolder: string;
  /** The worker that this server starts itself, if any. */
  readonly ownWorkers: OwnWorkers;
  readonly log: Logger;
  readonly sliceMs: number;
  readonly storageBytes: number;
  readonly uploadLimits: FormLimits;
  /** The address of this server, for links. */
  readonly baseUrl: () => string;
  readonly partnerSecret: Secret<Uint8Array>;
  readonly linkSecret: Secret<Uint8Array>;
  readonly webhooks: {
    readonly enqueue: Enqueue;
    readonly assertUrl: (url: string) => Promise<void>;
    readonly wake: () => void;
  };
  readonly meters: Meters;
}

/** Workflows: accepts, queues and runs them, publishes events and keeps results. */
export function createCloud(parts: Parts) {
  const { db, clock, store, webhooks, onError } = parts;
  const partnerKeys = createPartnerKeys(parts.partnerSecret);
  const onChanged = createJobWebhooks({ enqueue: webhooks.enqueue, clock });
  const server = newId();
  const queue = createJobQueue({ db, clock, runner: server, onChanged });
  const { countsOf } = queue;
  const sharing = createUserBus({ ...parts, countsOf, stallMs: LEASE_MS });
  const { bus } = sharing;
  const history = createQueueHistory(parts);
  const measured = measureJobs({ ...parts, queue, notes: history.notes });
  const events = createEvents({
    ...parts,
    bus,
    presentElsewhere: sharing.presentElsewhere,
    hearsOthers: sharing.hearsOthers,
    countsOf,
    keptEventsOf: async (userId, jobId) => await readKeptEvents(db, userId, jobId),
  });
  const { live, publishStatus: onStatus, tellEnd, tellEndMarker } = events;
  measureUse({ ...parts, countConnections: events.count });
  const { files, ...doors } = createFiles({
    ...parts,
    grantKey: parts.linkSecret,
    folder: parts.usersFolder,
    quotaBytes: parts.storageBytes,
  });
  const findEnd = async (userId: string, jobId: string) => await findJobEnd(db, userId, jobId);
  const notices = createWaitingNotices({
    waitingOf: async (userId, jobIds) => await pickIds(db, userId, jobIds, ['pending']),
    countsOf,
    limitOf: parts.limitOf,
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
    statusOf: async (userId, jobId) => (await findEnd(userId, jobId))?.status,
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
    ...parts,
    queue,
    files,
    validate: validator.validate,
    partnerKeys,
    needs: fleet.needs,
    assertWebhookUrl: webhooks.assertUrl,
    nameAssets: async (userId, ids) => await nameAssets(parts, userId, ids),
    onAccepted(job, counts) {
      onStatus(job.userId, counts);
      notices.accepted(job);
      runs.wake();
      // Another server may have a ready worker.
      if (!workers.hasReady()) sharing.tellWork();
    },
  });
  const waiter = createJobWaiter({ bus, findEnd });
  const liveTimeline = (jobId: string) => live.get(jobId)?.timeline();
  const jobs = createJobs({
    ...parts,
    cancel,
    liveOutputs: (jobId) => live.get(jobId)?.outputs(),
    liveTimeline,
    whatIsMissing: fleet.whatIsMissing,
    linkTo: doors.linkTo,
    free(userId, { freeMemory }) {
      if (freeMemory) workers.forget(userId);
    },
  });
  const limits = parts.uploadLimits;
  const assets = createAssets({ ...parts, files, limits });
  const v2 = createV2({
    ...parts,
    submissions,
    cancel,
    files,
    limits,
    streaming: events.streaming,
    liveTimeline,
    keptMs: parts.outputMs,
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

  /** A worker presents the keys of attempts that another server has given it. */
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
    /** Closes connections with revoked credentials of the user, on every server. */
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
      // First, because requests that wait for a job, and jobs whose nodes call this server, would delay the stop.
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
    /** Waits until all other servers are known, because a short-lived command sends its events to known servers only. */
    waitForOtherServers: async (): Promise<void> => await waitForOtherServers(db, sharing.countOthers),
    run(): void {
      runs.start();
      history.start();
      fleet.start();
    },
    /** Removes expired data and repairs counts. Called from time to time. */
    async tidy(signal?: AbortSignal): Promise<void> {
      await queue.heal();
      await doors.tidy();
      await fleet.tidy();
      await forgetOldJobs({ db, now: clock(), keptMs: parts.outputMs, signal });
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

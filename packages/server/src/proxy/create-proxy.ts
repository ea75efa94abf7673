import { mkdir, rm } from 'node:fs/promises';
import { VENDOR_NAMES, vendorOf } from '@atelier/contracts';

import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { App } from '../platform/http/route-config.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import type { Secret } from '../platform/secret.ts';
import { generationRoutes } from './generation.routes.ts';
import { isFreeAt, type LocalRendering, prepareFor } from './local-rendering.ts';
import { measureTasks } from './measure-tasks.ts';
import { createOldTasks } from './old-tasks.ts';
import { createAcceptPictures } from './pictures/accept-pictures.ts';
import { createPictureSources, type OpenOwnLink } from './pictures/picture-sources.ts';
import { type CountStorage, createTaskContents } from './pictures/task-contents.ts';
import { createBringInputs } from './runs/bring-inputs.ts';
import { createHeldTaskChanges, type TaskCredits } from './runs/change-held-task.ts';
import { createFetchPictures } from './runs/fetch-pictures.ts';
import { createKeepResults } from './runs/keep-results.ts';
import { createTakeSteps } from './runs/take-steps.ts';
import { createTaskRunner, type TaskRunnerOptions } from './runs/task-runner.ts';
import { createTaskLinks } from './task-links.ts';
import { createTaskWebhooks, type Enqueue } from './task-webhooks.ts';
import { tasksRoutes } from './tasks.routes.ts';
import { createTasksService, type ReserveCredits, type TasksService } from './tasks.service.ts';
import { createVendorCallbacks } from './vendor-callbacks.ts';
import type { VendorAdapter } from './vendors/vendor.ts';
import type { Prices } from './vendors/vendor-definition.ts';

interface Parts extends TaskRunnerOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Of tasks alone: a sweep deletes what no task has. */
  readonly store: FileStore;
  /** For the files of steps under way; emptied at the start. */
  readonly workFolder: string;
  readonly outbound: Outbound;
  readonly openOwnLink: OpenOwnLink;
  readonly credits: TaskCredits & { readonly reserve: ReserveCredits };
  readonly countStorage: CountStorage;
  readonly webhooks: {
    readonly enqueue: Enqueue;
    wake(): void;
    assertUrl(url: string, field: string): Promise<void>;
  };
  /** One for each vendor that takes new tasks, and those that only end what they began. */
  readonly adapters: readonly VendorAdapter[];
  readonly callbackKey: Secret<Uint8Array>;
  readonly publicUrl: string | undefined;
  readonly acceptAliases: boolean;
  readonly prices: Prices;
  readonly localRendering: LocalRendering;
  readonly maxPictureBytes: number;
  readonly maxBodyBytes: number;
  readonly maxInFlight: number;
  readonly taskMs: number;
  /** How long an ended task is kept; 0 for ever. */
  readonly keptMs: number;
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
}

export interface Proxy {
  readonly routes: (app: App) => Promise<void>;
  readonly tasks: TasksService;
  readonly userData: { delete(userId: string): Promise<void> };
  start(): Promise<void>;
  drain(): Promise<void>;
  /** Removes old tasks and their files. Called now and then. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

const VENDOR_LINK_MS = 24 * 3_600_000;

export function createProxy(parts: Parts): Proxy {
  const { db, clock, store, workFolder, outbound, credits, countStorage, webhooks, publicUrl } = parts;
  const {
    acceptAliases,
    prices,
    maxBodyBytes,
    maxInFlight,
    taskMs,
    keptMs,
    onError,
    random = Math.random,
  } = parts;
  const { adapters, onEnded } = measureTasks({ db, clock, meters: parts.meters, adapters: parts.adapters });
  const links = createTaskLinks({ store, clock });
  const contents = createTaskContents({ db, store });
  const sources = createPictureSources({
    outbound,
    openOwnLink: parts.openOwnLink,
    maxBytes: parts.maxPictureBytes,
  });
  const changes = createHeldTaskChanges({
    db,
    clock,
    credits,
    countStorage,
    notify: createTaskWebhooks({ enqueue: webhooks.enqueue, links }),
    wake: webhooks.wake,
    onEnded,
    claimContent: contents.claim,
  });
  const callbacks = createVendorCallbacks({
    db,
    clock,
    key: parts.callbackKey,
    publicUrl,
    wake: () => runner.wake(),
  });
  const takeSteps = createTakeSteps({
    clock,
    changes,
    workFolder,
    fetchPictures: createFetchPictures({ db, store, contents, countStorage, sources, workFolder }),
    bringInputs: createBringInputs({
      db,
      store,
      publicLink: async ({ hash, mediaType }, name) =>
        // Vendors fetch from https only; otherwise the picture goes with the request.
        publicUrl === undefined || !publicUrl.startsWith('https:')
          ? undefined
          : await store.signedUrl({ hash }, { name, mediaType, expiresAt: clock() + VENDOR_LINK_MS }),
    }),
    keepResults: createKeepResults({ store, contents }),
    sweep: contents.sweep,
    callbackUrl: callbacks.urlFor,
    random,
    onError,
  });
  const runner = createTaskRunner({ db, clock, adapters, changes, takeSteps, onError }, parts);
  const tasks = createTasksService({
    db,
    clock,
    reserve: credits.reserve,
    countStorage,
    contents,
    acceptPictures: createAcceptPictures({ contents, sources }),
    assertWebhookUrl: webhooks.assertUrl,
    adapterFor: (kind) => adapterOf(adapters, vendorOf(kind)).name,
    prepare: (request) =>
      prepareFor(adapterOf(adapters, vendorOf(request.kind)), request, parts.localRendering),
    wake: runner.wake,
    maxInFlight,
    taskMs,
  });
  const { tidy, deleteAllOf } = createOldTasks({ db, clock, contents, countStorage, keptMs });

  return {
    async routes(app) {
      await generationRoutes({ tasks, links, prices, acceptAliases, maxBodyBytes })(app);
      const inUse = VENDOR_NAMES.map((name) => adapterOf(adapters, name));
      await tasksRoutes({
        tasks,
        adapters: inUse,
        callbacks,
        prices,
        isFree: (adapter) => isFreeAt(adapter, parts.localRendering),
      })(app);
    },
    async start() {
      await rm(workFolder, { recursive: true, force: true });
      await mkdir(workFolder, { recursive: true, mode: 0o700 });
      await runner.start();
    },
    tasks,
    userData: { delete: deleteAllOf },
    drain: runner.drain,
    tidy,
    async close() {
      await runner.close();
      for (const adapter of adapters) await adapter.close();
    },
  };
}

function adapterOf(adapters: readonly VendorAdapter[], vendor: VendorAdapter['vendor']): VendorAdapter {
  const adapter = adapters.find((each) => each.vendor === vendor);
  if (!adapter) throw new Error(`There is no adapter for ${vendor}.`);
  return adapter;
}

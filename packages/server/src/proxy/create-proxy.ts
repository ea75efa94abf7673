import { mkdir, rm } from 'node:fs/promises';
import { VENDOR_NAMES, vendorOf } from '@atelier/contracts';

import type { App } from '../platform/http/route-config.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import type { Secret } from '../platform/secret.ts';
import { createExportUser } from './export-user.ts';
import { generationRoutes } from './generation.routes.ts';
import { isFreeAt, type LocalRendering } from './local-rendering.ts';
import { measureTasks } from './measure-tasks.ts';
import { createOldTasks } from './old-tasks.ts';
import { createAcceptPictures } from './pictures/accept-pictures.ts';
import { createPictureSources, type OpenOwnLink } from './pictures/picture-sources.ts';
import { createTaskContents } from './pictures/task-contents.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { createHeldTaskChanges, type TaskCredits } from './runs/change-held-task.ts';
import { createTakeSteps } from './runs/take-steps.ts';
import { createTaskRunner, type TaskRunnerOptions } from './runs/task-runner.ts';
import { createTaskLinks } from './task-links.ts';
import { createTaskWebhooks, type Enqueue } from './task-webhooks.ts';
import { tasksRoutes } from './tasks.routes.ts';
import { createTasksService, type ReserveCredits } from './tasks.service.ts';
import { createVendorCallbacks } from './vendor-callbacks.ts';
import type { VendorAdapter } from './vendors/vendor.ts';
import type { Prices } from './vendors/vendor-definition.ts';

interface Parts extends TaskRunnerOptions, ProxyParts {
  readonly outbound: Outbound;
  readonly openOwnLink: OpenOwnLink;
  readonly credits: TaskCredits & { readonly reserve: ReserveCredits };
  readonly webhooks: {
    readonly enqueue: Enqueue;
    wake(): void;
    assertUrl(url: string, field: string): Promise<void>;
  };
  /** The first of each vendor takes new tasks. The others only finish what they began. */
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
  /** How long ended tasks are kept. 0: forever. */
  readonly keptMs: number;
  readonly meters: Meters;
  readonly random?: () => number;
}

export type Proxy = ReturnType<typeof createProxy>;

export function createProxy(parts: Parts) {
  const { db, store, workFolder, webhooks } = parts;
  const { acceptAliases, prices, maxBodyBytes, random = Math.random } = parts;
  const { adapters, onEnded } = measureTasks(parts);
  const links = createTaskLinks(parts);
  const contents = createTaskContents(parts);
  const sources = createPictureSources({ ...parts, maxBytes: parts.maxPictureBytes });
  const changes = createHeldTaskChanges({
    ...parts,
    notify: createTaskWebhooks(webhooks.enqueue, links),
    wake: webhooks.wake,
    onEnded,
    contents,
  });
  const callbacks = createVendorCallbacks({ ...parts, key: parts.callbackKey, wake: () => runner.wake() });
  const takeSteps = createTakeSteps({
    ...parts,
    changes,
    contents,
    sources,
    callbackUrl: callbacks.urlFor,
    random,
  });
  const runner = createTaskRunner({ ...parts, adapters, changes, takeSteps }, parts);
  const tasks = createTasksService({
    ...parts,
    reserve: parts.credits.reserve,
    contents,
    acceptPictures: createAcceptPictures({ contents, sources }),
    assertWebhookUrl: webhooks.assertUrl,
    adapterFor: (kind) => adapterOf(adapters, vendorOf(kind)),
    wake: runner.wake,
  });
  const { tidy, deleteAllOf } = createOldTasks({ ...parts, contents });

  return {
    async routes(app: App): Promise<void> {
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
    async start(): Promise<void> {
      await rm(workFolder, { recursive: true, force: true });
      await mkdir(workFolder, { recursive: true, mode: 0o700 });
      await runner.start();
    },
    tasks,
    userData: { delete: deleteAllOf },
    exportUser: createExportUser(db, store),
    drain: runner.drain,
    tidy,
    async close(): Promise<void> {
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

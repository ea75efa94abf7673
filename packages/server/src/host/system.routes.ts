import { freemem, totalmem } from 'node:os';
import { AccountUse, Features, optional, SystemStats } from '@atelier/contracts';
import { type Static, Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { CLOUD_DEFAULTS, HOST_DEFAULTS } from '../platform/http/route-defaults.ts';

export interface SystemParts {
  /** Names all servers on this database. */
  readonly installation: string;
  /** How many jobs an account may run at once; 0 without an active subscription. */
  readonly limitOf: (userId: string) => Promise<number>;
  readonly countsOf: (userId: string) => Promise<{ readonly waiting: number; readonly running: number }>;
  /** Uploads, outputs and files of tasks. */
  readonly storageOf: (userId: string) => Promise<{ readonly files: number; readonly bytes: number }>;
  /** The same by folder and kind. */
  readonly assetUse: (userId: string) => Promise<NonNullable<AccountUse['storage']['by_kind']>>;
  /** The limit of an account. */
  readonly storageBytes: number;
  readonly features: Omit<Static<typeof Features>, 'max_concurrent_jobs' | 'has_editor'>;
  /** Whether an operator has fetched the stock editor. That may change while the server runs. */
  readonly hasEditor: () => boolean;
}

/** The version of the host application that these answers follow, and of its frontend. */
const HOST_VERSION = '0.33.0';
const FRONTEND_VERSION = '1.49.6';

/** What this server is and can do, and what the caller uses. */
export const systemRoutes: Routes<SystemParts> =
  ({ installation, limitOf, countsOf, storageOf, assetUse, storageBytes, features, hasEditor }) =>
  async (app) => {
    createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host' })('GET', '/system_stats', {
      operation: 'system.stats',
      summary: 'The machine and the versions',
      description:
        '`comfyui_version` and `required_frontend_version` name the ComfyUI release that these routes follow. `devices` has the processor with the memory of the machine, and no GPUs.',
      response: { 200: SystemStats },
      handle: async () => systemStats(installation),
    });

    const route = createRouteDefiner(app, { ...CLOUD_DEFAULTS, tag: 'host' });
    route('GET', '/api/features', {
      operation: 'cloud.features.list',
      summary: 'What this server can do',
      description:
        '`max_concurrent_jobs` is for the caller: how many of their jobs may run at once now, 0 without an active subscription. `GET /api/usage` shows how many run.',
      response: { 200: Features },
      handle: async ({ actor }) => ({
        ...features,
        has_editor: hasEditor(),
        max_concurrent_jobs: await limitOf(actor.userId),
      }),
    });

    route('GET', '/api/usage', {
      operation: 'cloud.usage.read',
      summary: 'What the caller uses, and may use',
      description:
        'Uploads, outputs, temporary files and files of generation tasks count, and so do the outputs and messages of jobs that are kept. An upload beyond `quota_bytes` gets 403 `cloud.storage_full`.',
      query: optional({ by_kind: Type.Boolean({ description: 'Also what fills the storage.' }) }),
      response: { 200: AccountUse },
      handle: async ({ actor: { userId }, query }) => {
        const storage = await storageOf(userId);
        const { waiting, running } = await countsOf(userId);
        return {
          storage: {
            used_bytes: storage.bytes,
            quota_bytes: storageBytes,
            files: storage.files,
            ...(query.by_kind && { by_kind: await assetUse(userId) }),
          },
          jobs: { waiting, running, max_running: await limitOf(userId) },
        };
      },
    });
  };

/** Public clients show the texts and read only the versions. */
function systemStats(installation: string): SystemStats {
  const [total, free] = [totalmem(), freemem()];
  return {
    system: {
      os: process.platform,
      ram_total: total,
      ram_free: free,
      comfyui_version: HOST_VERSION,
      required_frontend_version: FRONTEND_VERSION,
      installed_templates_version: null,
      required_templates_version: null,
      comfy_package_versions: [],
      python_version: `none (Atelier on Node.js ${process.versions.node})`,
      pytorch_version: 'none',
      embedded_python: false,
      deploy_environment: 'atelier',
      installation_id: installation,
      argv: ['atelier'],
    },
    devices: [
      {
        name: 'cpu',
        type: 'cpu',
        index: 0,
        vram_total: total,
        vram_free: free,
        torch_vram_total: total,
        torch_vram_free: free,
      },
    ],
  };
}

import { createAdminJobs } from './admin-jobs.ts';
import { createAdminRegistry } from './admin-registry.ts';
import { createAdminUsers } from './admin-users.ts';
import { createAdminWorkers, createAdminWorkerTokens } from './admin-workers.ts';
import { createList, type List } from './http/list.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { AuditLog, FailingEndpoints, QueueHistory, ServerSettings, StorageReport } from './wire.ts';

export type AuditEntry = AuditLog['entries'][number];

export interface AuditFilter extends CallOptions {
  /** Such as `user:<id>` or `publisher:acme`. */
  readonly subject?: string | undefined;
  /** Such as `user:<id>` or `operator:<name>`. */
  readonly actor?: string | undefined;
  /** Such as `user.ban`. */
  readonly action?: string | undefined;
}

/** For administrators. Everybody else gets `auth.forbidden`. */
export interface Admin {
  /** Accounts of all users. */
  readonly users: ReturnType<typeof createAdminUsers>;
  /** Jobs of all users. */
  readonly jobs: ReturnType<typeof createAdminJobs>;
  /** The workers that run jobs. */
  readonly workers: ReturnType<typeof createAdminWorkers>;
  /** Tokens that workers connect with. */
  readonly workerTokens: ReturnType<typeof createAdminWorkerTokens>;
  /** Decisions about packs and publishers. */
  readonly registry: ReturnType<typeof createAdminRegistry>;
  /** The state of the queue over the last hours, for charts. */
  queueHistory(options?: CallOptions): Promise<QueueHistory>;
  /** How much storage the files of all users take, and who uses the most. */
  storage(options?: CallOptions): Promise<StorageReport>;
  /** Webhook endpoints of all users that are failing or paused. */
  failingEndpoints(options?: CallOptions): Promise<FailingEndpoints['endpoints']>;
  /** The settings as the server sees them, without secrets. */
  settings(options?: CallOptions): Promise<ServerSettings['settings']>;
  /** Who did what to users and in the registry, newest first. */
  audit(filter?: AuditFilter): List<AuditEntry, AuditLog>;
  /** The metrics of the server, in the Prometheus text format. */
  metrics(options?: CallOptions): Promise<string>;
  /** Signs new tokens with a new key. Tokens signed with the old key stay valid until they expire. */
  rotateSigningKey(options?: CallOptions): Promise<void>;
}

// Named, because inferred declarations lose the comments of types from other files.
export function createAdmin(transport: Transport): Admin {
  return {
    users: createAdminUsers(transport),
    jobs: createAdminJobs(transport),
    workers: createAdminWorkers(transport),
    workerTokens: createAdminWorkerTokens(transport),
    registry: createAdminRegistry(transport),
    queueHistory: async (options) => await transport.get('QueueHistory', '/admin/queue/history', options),
    storage: async (options) => await transport.get('StorageReport', '/admin/storage', options),
    failingEndpoints: async (options) =>
      (await transport.get('FailingEndpoints', '/admin/webhooks/endpoints', options)).endpoints,
    settings: async (options) => (await transport.get('ServerSettings', '/admin/settings', options)).settings,
    audit({ subject, actor, action, ...options } = {}) {
      return createList<AuditEntry, AuditLog, number>({
        load: async (before) =>
          await transport.get('AuditLog', '/admin/audit', {
            ...options,
            query: { subject, actor, action, before, limit: 100 },
          }),
        items: ({ entries }) => entries,
        next: ({ next_before }) => next_before,
      });
    },
    metrics: async (options = {}) => await transport.text('/metrics', options),
    rotateSigningKey: async (options = {}) =>
      await transport.post('nothing', '/admin/signing-keys/rotate', options),
  };
}

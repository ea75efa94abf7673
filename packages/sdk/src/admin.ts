import { createAdminRegistry } from './admin-registry.ts';
import { createAdminWorkers, createAdminWorkerTokens } from './admin-workers.ts';
import { createList, type List, nextPage } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type {
  Account,
  AccountPage,
  AdminJobPage,
  AuditLog,
  Balance,
  ChangeCredits,
  FailingEndpoints,
  JobCancelled,
  NewUser,
  QueueHistory,
  ServerSettings,
  SetSubscription,
  StorageReport,
  Subscription,
} from './wire.ts';

export type AdminJob = AdminJobPage['jobs'][number];
export type AuditEntry = AuditLog['entries'][number];

export interface AdminJobFilter extends CallOptions {
  readonly userId?: string | undefined;
  readonly status?: AdminJob['status'] | readonly AdminJob['status'][] | undefined;
}

export interface AuditFilter extends CallOptions {
  /** Such as `publisher:acme`. */
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
}

/** For administrators. Everybody else gets `auth.forbidden`. */
export function createAdmin(transport: Transport) {
  return {
    users: {
      /** Those who have the text in their e-mail address or name. */
      list({
        search,
        ...options
      }: CallOptions & { readonly search?: string | undefined } = {}): List<Account, AccountPage> {
        return createList<Account, AccountPage, number>({
          load: async (page = 1) =>
            await transport.get<AccountPage>('/admin/users', {
              ...options,
              query: { page, limit: 100, search },
            }),
          items: ({ users }) => users,
          next: nextPage,
        });
      },
      get: async (id: string, options: CallOptions = {}) =>
        await transport.get<Account>(path`/admin/users/${id}`, options),
      create: async (user: NewUser, options: CallOptions = {}) =>
        await transport.post<Account>('/admin/users', { ...options, body: user }),
      /** With everything that is theirs. Nothing of it comes back. */
      delete: async (id: string, options: CallOptions = {}) =>
        await transport.delete(path`/admin/users/${id}`, options),
      setRole: async (id: string, role: Account['role'], options: CallOptions = {}) =>
        await transport.put<Account>(path`/admin/users/${id}/role`, { ...options, body: { role } }),
      setPassword: async (id: string, password: string, options: CallOptions = {}): Promise<void> =>
        await transport.put(path`/admin/users/${id}/password`, { ...options, body: { password } }),
      setSubscription: async (id: string, subscription: SetSubscription, options: CallOptions = {}) =>
        await transport.put<Subscription>(path`/admin/users/${id}/subscription`, {
          ...options,
          body: subscription,
        }),
      /** Adds credits, or with a minus sign and a reason takes them away. Gives the new balance. */
      changeCredits: async (id: string, change: ChangeCredits, options: CallOptions = {}): Promise<number> =>
        (await transport.post<Balance>(path`/admin/users/${id}/credits`, { ...options, body: change }))
          .balance,
      ban: async (id: string, reason: string, options: CallOptions = {}): Promise<void> =>
        await transport.post(path`/admin/users/${id}/ban`, {
          ...options,
          body: { reason },
          isRepeatable: true,
        }),
      unban: async (id: string, options: CallOptions = {}): Promise<void> =>
        await transport.post(path`/admin/users/${id}/unban`, { ...options, isRepeatable: true }),
    },

    jobs: {
      /** Of all users, newest first. */
      list({ userId, status, ...options }: AdminJobFilter = {}): List<AdminJob, AdminJobPage> {
        return createList<AdminJob, AdminJobPage, number>({
          load: async (before) =>
            await transport.get<AdminJobPage>('/admin/jobs', {
              ...options,
              query: { user_id: userId, status, before, limit: 100 },
            }),
          items: ({ jobs }) => jobs,
          next: ({ next_before }) => next_before,
        });
      },
      /** Whether this has cancelled it; false when it had ended. */
      cancel: async (id: string, options: CallOptions = {}): Promise<boolean> =>
        (
          await transport.post<JobCancelled>(path`/admin/jobs/${id}/cancel`, {
            ...options,
            isRepeatable: true,
          })
        ).cancelled,
    },

    workers: createAdminWorkers(transport),
    workerTokens: createAdminWorkerTokens(transport),
    registry: createAdminRegistry(transport),

    /** How the queue has been in the last hours, for charts. */
    queueHistory: async (options: CallOptions = {}) =>
      await transport.get<QueueHistory>('/admin/queue/history', options),

    /** What the files of all users take, and who has most. */
    storage: async (options: CallOptions = {}) =>
      await transport.get<StorageReport>('/admin/storage', options),

    /** Webhook endpoints of all users that fail or are paused. */
    failingEndpoints: async (options: CallOptions = {}) =>
      (await transport.get<FailingEndpoints>('/admin/webhooks/endpoints', options)).endpoints,

    /** The settings as the server sees them, without secrets. */
    settings: async (options: CallOptions = {}) =>
      (await transport.get<ServerSettings>('/admin/settings', options)).settings,

    /** Who did what in the registry, newest first. */
    audit({ subject, actor, ...options }: AuditFilter = {}): List<AuditEntry, AuditLog> {
      return createList<AuditEntry, AuditLog, number>({
        load: async (before) =>
          await transport.get<AuditLog>('/admin/audit', {
            ...options,
            query: { subject, actor, before, limit: 100 },
          }),
        items: ({ entries }) => entries,
        next: ({ next_before }) => next_before,
      });
    },

    /** Signs new tokens with a new key. Tokens of the old one stay good until they expire. */
    rotateSigningKey: async (options: CallOptions = {}): Promise<void> =>
      await transport.post('/admin/signing-keys/rotate', options),
  };
}

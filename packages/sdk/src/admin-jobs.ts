import { createList, type List } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { AdminJobPage } from './wire.ts';

export type AdminJob = AdminJobPage['jobs'][number];

export interface AdminJobFilter extends CallOptions {
  readonly userId?: string | undefined;
  readonly status?: AdminJob['status'] | readonly AdminJob['status'][] | undefined;
}

/** Jobs of all users. */
export function createAdminJobs(transport: Transport) {
  return {
    /** Jobs of all users, newest first. */
    list({ userId, status, ...options }: AdminJobFilter = {}): List<AdminJob, AdminJobPage> {
      return createList<AdminJob, AdminJobPage, number>({
        load: async (before) =>
          await transport.get('AdminJobPage', '/admin/jobs', {
            ...options,
            query: { user_id: userId, status, before, limit: 100 },
          }),
        items: ({ jobs }) => jobs,
        next: ({ next_before }) => next_before,
      });
    },
    /** Cancels a job of any user. Returns whether this call cancelled it; false if it had already ended. */
    cancel: async (id: string, options: CallOptions = {}): Promise<boolean> =>
      (
        await transport.post('JobCancelled', path`/admin/jobs/${id}/cancel`, {
          ...options,
          isRepeatable: true,
        })
      ).cancelled,
  };
}

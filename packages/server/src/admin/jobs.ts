import type { AdminJobPage } from '@atelier/contracts';

import type { Operator } from './operator.ts';

const PAGE = '100';

export type Job = AdminJobPage['jobs'][number];

/** Newest first. */
export async function* listJobs(
  operator: Operator,
  filter: { readonly user_id?: string; readonly status?: string },
): AsyncGenerator<Job> {
  let before: number | undefined;
  do {
    const from = before === undefined ? {} : { before: String(before) };
    const query = new URLSearchParams({ ...filter, ...from, limit: PAGE });
    const page = await operator.call<AdminJobPage>('GET', `/admin/jobs?${query}`);
    yield* page.jobs;
    before = page.next_before;
  } while (before !== undefined);
}

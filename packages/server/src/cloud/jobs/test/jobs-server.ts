import type { InjectOptions } from 'fastify';

import { appWith } from '../../../../test/support/app-with.ts';
import type { Db } from '../../../platform/db/database.ts';
import { createJobs } from '../create-jobs.ts';
import { OPEN } from '../job-states.ts';

/** The routes on a database, with rows in the place of a queue. The header `x-user` says who calls. */
export async function startJobsServer(db: Db) {
  const freed: { userId: string; freeMemory: boolean }[] = [];
  const live = new Map<string, Record<string, unknown>>();
  const time = { now: 10_000 };
  const jobs = createJobs({
    db,
    clock: () => time.now,
    liveOutputs: (id) => live.get(id),
    liveTimeline: () => undefined,
    whatIsMissing: async () => await Promise.resolve(undefined),
    audit: { add: async () => {} },
    findPeople: async () => [],
    linkTo: async (asset) => `https://files.example/${asset.content_hash}`,
    free: (userId, flags) => void freed.push({ userId, ...flags }),
    cancel: async (userId, ids) => {
      const rows = await db
        .selectFrom('jobs')
        .select(['id', 'status'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .execute();
      if (rows.length < ids.length) return undefined;
      const open = rows.filter((row) => OPEN.some((status) => status === row.status)).map(({ id }) => id);
      if (open.length > 0) {
        await db
          .updateTable('jobs')
          .set({ status: 'cancelled', ended_at: time.now, execution_ms: 0 })
          .where('id', 'in', open)
          .execute();
      }
      return open;
    },
  });
  const actorFrom = (userId: string) => ({ userId, email: '', name: '', role: 'user' }) as const;
  const app = await appWith(jobs.routes, actorFrom);
  return {
    app,
    time,
    live,
    freed,
    /** What a user gets: the status and the text. */
    async ask(user: string, url: string, options: InjectOptions = {}) {
      const headers = { 'x-user': user, ...options.headers };
      const { statusCode: status, body } = await app.inject({ url, ...options, headers });
      return { status, body };
    },
    async read<T = unknown>(user: string, url: string): Promise<T> {
      const { status, body } = await this.ask(user, url);
      if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
      return JSON.parse(body) as T;
    },
    async send<T = unknown>(user: string, url: string, payload: object): Promise<T | undefined> {
      const { status, body } = await this.ask(user, url, { method: 'POST', payload });
      if (status !== 200) throw new Error(`${url} answered ${status}: ${body}`);
      return body === '' ? undefined : (JSON.parse(body) as T);
    },
  };
}

export type JobsServer = Awaited<ReturnType<typeof startJobsServer>>;

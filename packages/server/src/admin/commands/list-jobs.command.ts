import type { AdminCommand } from '../command.ts';
import { type Job, listJobs } from '../jobs.ts';
import { withOperator } from '../operator.ts';
import { JSON_OPTION, printRows } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { LIMIT_OPTION, readLimit, take } from '../take.ts';
import { findUser } from '../users.ts';

export const listJobsCommand: AdminCommand = {
  usage: '[--user USER] [--status STATUS,…] [--limit COUNT] [--json]',
  help: `Lists jobs of all users, newest first. STATUS is one or several of pending, in_progress, completed, failed and cancelled. 100 jobs unless
--limit says otherwise.`,
  async run(options) {
    const { values } = readArgs(options.args, [], {
      user: { type: 'string' },
      status: { type: 'string' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    });
    const { user, status } = values;
    const limit = readLimit(values.limit);
    const jobs = await withOperator(options, async (operator) => {
      const filter = {
        ...(user !== undefined && { user_id: (await findUser(operator, user)).id }),
        ...(status !== undefined && { status }),
      };
      return await take(listJobs(operator, filter), limit);
    });
    const columns = {
      ID: ({ id }: Job) => id,
      USER: ({ user: owner }: Job) => owner.email ?? owner.id,
      STATUS: ({ status: now }: Job) => now,
      CREATED: ({ created_at: at }: Job) => at,
      ERROR: ({ error_message: error }: Job) => error?.slice(0, 80),
    };
    printRows(jobs, columns, { json: values.json, none: 'No jobs.' });
  },
};

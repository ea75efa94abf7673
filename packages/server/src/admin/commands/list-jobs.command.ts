import type { AdminJobPage } from '@atelier/contracts';

import type { AdminCommand } from '../command.ts';
import { listRows, take } from '../lists.ts';
import { withOperator } from '../operator.ts';
import { LIMIT_OPTION, readArgs, readLimit } from '../read-args.ts';
import { JSON_OPTION, printRows } from '../terminal.ts';
import { findUser } from '../users.ts';

type Job = AdminJobPage['jobs'][number];

const COLUMNS = {
  ID: ({ id }: Job) => id,
  USER: ({ user }: Job) => user.email ?? user.id,
  STATUS: ({ status }: Job) => status,
  CREATED: ({ created_at: at }: Job) => at,
  ERROR: ({ error_message: error }: Job) => error?.slice(0, 80),
};

export const command: AdminCommand = {
  usage: '[--user USER] [--status STATUS,…] [--limit COUNT] [--json]',
  help: `Lists jobs of all users, newest first. STATUS is one or several of pending, in_progress, completed, failed and cancelled. 100 jobs unless
--limit says otherwise.`,
  async run(options) {
    const given = {
      user: { type: 'string' },
      status: { type: 'string' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    } as const;
    const { user, status, json, ...values } = readArgs(options.args, [], given).values;
    const limit = readLimit(values.limit);
    const jobs = await withOperator(options, async (operator) => {
      const filter = {
        ...(user !== undefined && { user_id: (await findUser(operator, user)).id }),
        ...(status !== undefined && { status }),
      };
      return await take(listRows<Job>(operator, '/admin/jobs', 'jobs', filter), limit);
    });
    printRows(jobs, COLUMNS, { json, none: 'No jobs.' });
  },
};

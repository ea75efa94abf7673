import type { Account as User } from '@atelier/contracts';

import type { AdminCommand } from '../command.ts';
import { withOperator } from '../operator.ts';
import { JSON_OPTION, printRows } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { LIMIT_OPTION, readLimit, take } from '../take.ts';
import { listUsers } from '../users.ts';

export const listUsersCommand: AdminCommand = {
  usage: '[WORDS] [--limit COUNT] [--json]',
  help: 'Lists users, oldest first: all, or those who have WORDS in their e-mail address or name. 100 unless --limit says otherwise.',
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['WORDS?'], { ...LIMIT_OPTION, ...JSON_OPTION });
    const limit = readLimit(values.limit);
    const users = await withOperator(
      options,
      async (operator) => await take(listUsers(operator, positionals[0]), limit),
    );
    const columns = {
      ID: ({ id }: User) => id,
      EMAIL: ({ email }: User) => email,
      NAME: ({ name }: User) => name,
      ROLE: ({ role }: User) => role,
      STATUS: ({ status }: User) => status,
      PLAN: ({ subscription: { tier, status } }: User) =>
        status === 'active' ? tier : `${tier} (${status})`,
      CREDITS: ({ credits }: User) => credits,
    };
    printRows(users, columns, { json: values.json, none: 'No users.' });
  },
};

import type { Account } from '@atelier/contracts';

import type { AdminCommand } from '../command.ts';
import { take } from '../lists.ts';
import { type Operator, withOperator } from '../operator.ts';
import { LIMIT_OPTION, readArgs, readLimit } from '../read-args.ts';
import { JSON_OPTION, printRows } from '../terminal.ts';
import { listUsers } from '../users.ts';

const COLUMNS = {
  ID: ({ id }: Account) => id,
  EMAIL: ({ email }: Account) => email,
  NAME: ({ name }: Account) => name,
  ROLE: ({ role }: Account) => role,
  STATUS: ({ status }: Account) => status,
  PLAN: ({ subscription: { tier, status } }: Account) => (status === 'active' ? tier : `${tier} (${status})`),
  CREDITS: ({ credits }: Account) => credits,
};

export const command: AdminCommand = {
  usage: '[WORDS] [--limit COUNT] [--json]',
  help: 'Lists users, oldest first: all, or those who have WORDS in their e-mail address or name. 100 unless --limit says otherwise.',
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['WORDS?'], { ...LIMIT_OPTION, ...JSON_OPTION });
    const limit = readLimit(values.limit);
    const list = async (operator: Operator) => await take(listUsers(operator, positionals[0]), limit);
    printRows(await withOperator(options, list), COLUMNS, { json: values.json, none: 'No users.' });
  },
};

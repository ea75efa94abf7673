import type { Account } from '@atelier/contracts';

import { type AdminCommand, say } from '../command.ts';
import { withOperator } from '../operator.ts';
import { readArgs, readPassword } from '../read-args.ts';
import { JSON_OPTION, plain } from '../terminal.ts';
import { userPath } from '../users.ts';

export const command: AdminCommand = {
  usage: 'EMAIL [--name NAME] [--administrator] [--password-stdin] [--json]',
  help: `Makes an account and prints its password, which is shown once. With --password-stdin the password is the first line of standard input.
The account has no plan yet, so its jobs wait until an administrator gives it one.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['EMAIL'], {
      name: { type: 'string' },
      administrator: { type: 'boolean' },
      'password-stdin': { type: 'boolean' },
      ...JSON_OPTION,
    });
    const { name, administrator, json, 'password-stdin': isGiven } = values;
    const password = await readPassword(isGiven);
    const wanted = { email: positionals[0], password, ...(name !== undefined && { name }) };
    const user = await withOperator(options, async (operator) => {
      const created = await operator.call<Account>('POST', '/admin/users', wanted);
      if (!administrator) return created;
      return await operator.call<Account>('PUT', userPath(created, '/role'), { role: 'admin' });
    });
    if (json) return say(JSON.stringify({ ...user, ...(!isGiven && { password }) }, null, 2));
    const role = user.role === 'admin' ? ' and is an administrator' : '';
    say(`${plain(user.email)} has the id ${user.id}${role}.`);
    if (!isGiven) say(`Password: ${password}`);
  },
};

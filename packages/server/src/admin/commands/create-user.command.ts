import type { Account } from '@atelier/contracts';

import { type AdminCommand, say } from '../command.ts';
import { withOperator } from '../operator.ts';
import { JSON_OPTION, plain } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { readPassword } from '../read-password.ts';
import { userPath } from '../users.ts';

export const createUserCommand: AdminCommand = {
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
    const password = await readPassword(values['password-stdin']);
    const { name } = values;
    const wanted = { email: positionals[0], password, ...(name !== undefined && { name }) };
    const user = await withOperator(options, async (operator) => {
      const created = await operator.call<Account>('POST', '/admin/users', wanted);
      if (!values.administrator) return created;
      return await operator.call<Account>('PUT', userPath(created, '/role'), { role: 'admin' });
    });
    const shown = values['password-stdin'] ? {} : { password };
    if (values.json) return say(JSON.stringify({ ...user, ...shown }, null, 2));
    say(
      `${plain(user.email)} has the id ${user.id}${user.role === 'admin' ? ' and is an administrator' : ''}.`,
    );
    if (shown.password !== undefined) say(`Password: ${shown.password}`);
  },
};

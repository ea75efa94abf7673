import { type AdminCommand, say } from '../command.ts';
import { withOperator } from '../operator.ts';
import { plain } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { readPassword } from '../read-password.ts';
import { findUser, userPath } from '../users.ts';

export const resetPasswordCommand: AdminCommand = {
  usage: 'USER [--password-stdin]',
  help: `Gives a user, by id or e-mail address, a new password and prints it. With --password-stdin it is the first line of standard input.
Sessions and tokens of the user end at once; API keys stay good.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], {
      'password-stdin': { type: 'boolean' },
    });
    const password = await readPassword(values['password-stdin']);
    const user = await withOperator(options, async (operator) => {
      const found = await findUser(operator, positionals[0] ?? '');
      await operator.call('PUT', userPath(found, '/password'), { password });
      return found;
    });
    say(`${plain(user.email)} has a new password.`);
    if (!values['password-stdin']) say(`Password: ${password}`);
  },
};

import { type AdminCommand, say } from '../command.ts';
import { withOperator } from '../operator.ts';
import { plain } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { findUser, userPath } from '../users.ts';

export const unbanUserCommand: AdminCommand = {
  usage: 'USER',
  help: 'Lets a banned user in again. Sessions, tokens and keys from before the ban work again, unless they have expired.',
  async run(options) {
    const { positionals } = readArgs(options.args, ['USER'], {});
    await withOperator(options, async (operator) => {
      const user = await findUser(operator, positionals[0] ?? '');
      await operator.call('POST', userPath(user, '/unban'));
      say(`${plain(user.email)} is active.`);
    });
  },
};

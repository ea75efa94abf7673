import { type AdminCommand, say } from '../command.ts';
import { readArgs } from '../read-args.ts';
import { plain } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER',
  help: 'Lets a banned user in again. Sessions, tokens and keys from before the ban work again, unless they have expired.',
  async run(options) {
    const { positionals } = readArgs(options.args, ['USER'], {});
    await withUser(options, positionals, async (operator, user) => {
      await operator.call('POST', userPath(user, '/unban'));
      say(`${plain(user.email)} is active.`);
    });
  },
};

import { type AdminCommand, BadUse, say } from '../command.ts';
import { readArgs } from '../read-args.ts';
import { confirm, plain, YES } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER --reason TEXT [--yes]',
  help: 'Refuses a user everywhere, closes what they have open, and cancels their jobs. The jobs do not come back when the ban is lifted.',
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], { reason: { type: 'string' }, ...YES });
    const { reason, yes } = values;
    if (reason === undefined) throw new BadUse('--reason is missing. See --help.');
    await withUser(options, positionals, async (operator, user) => {
      await confirm(`Ban ${plain(user.email)} and cancel their jobs?`, yes, options.signal);
      await operator.call('POST', userPath(user, '/ban'), { reason });
      say(`${plain(user.email)} is banned.`);
    });
  },
};

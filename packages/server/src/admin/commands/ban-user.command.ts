import { type AdminCommand, BadUse, say } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { withOperator } from '../operator.ts';
import { plain } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { findUser, userPath } from '../users.ts';

export const banUserCommand: AdminCommand = {
  usage: 'USER --reason TEXT [--yes]',
  help: 'Refuses a user everywhere, closes what they have open, and cancels their jobs. The jobs do not come back when the ban is lifted.',
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], { reason: { type: 'string' }, ...YES });
    const { reason } = values;
    if (reason === undefined) throw new BadUse('--reason is missing. See --help.');
    await withOperator(options, async (operator) => {
      const user = await findUser(operator, positionals[0] ?? '');
      await confirm(`Ban ${plain(user.email)} and cancel their jobs?`, values.yes, options.signal);
      await operator.call('POST', userPath(user, '/ban'), { reason });
      say(`${plain(user.email)} is banned.`);
    });
  },
};

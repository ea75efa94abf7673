import { type AdminCommand, say } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { withOperator } from '../operator.ts';
import { plain } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { findUser, userPath } from '../users.ts';

export const deleteUserCommand: AdminCommand = {
  usage: 'USER [--yes]',
  help: `Deletes a user with everything that is theirs: jobs, files, tasks, workflows, settings, keys, credits. Nothing of it comes back. When it
is cut off, the user stays banned; run it again to finish.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], YES);
    await withOperator(options, async (operator) => {
      const user = await findUser(operator, positionals[0] ?? '');
      const question = `Delete ${plain(user.email)} with all jobs and files? Nothing comes back.`;
      await confirm(question, values.yes, options.signal);
      await operator.call('DELETE', userPath(user));
      say(`${plain(user.email)} is deleted.`);
    });
  },
};

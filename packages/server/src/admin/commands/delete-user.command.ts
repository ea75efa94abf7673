import { type AdminCommand, say } from '../command.ts';
import { readArgs } from '../read-args.ts';
import { confirm, plain, YES } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER [--yes]',
  help: `Deletes a user with everything that is theirs: jobs, files, tasks, workflows, settings, keys, credits. Nothing of it comes back. When it
is cut off, the user stays banned; run it again to finish.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], YES);
    await withUser(options, positionals, async (operator, user) => {
      const question = `Delete ${plain(user.email)} with all jobs and files? Nothing comes back.`;
      await confirm(question, values.yes, options.signal);
      await operator.call('DELETE', userPath(user));
      say(`${plain(user.email)} is deleted.`);
    });
  },
};

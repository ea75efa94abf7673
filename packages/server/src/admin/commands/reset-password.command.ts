import { type AdminCommand, say } from '../command.ts';
import { readArgs, readPassword } from '../read-args.ts';
import { plain } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER [--password-stdin]',
  help: `Gives a user, by id or e-mail address, a new password and prints it. With --password-stdin it is the first line of standard input.
Sessions and tokens of the user end at once; API keys stay good.`,
  async run(options) {
    const given = { 'password-stdin': { type: 'boolean' } } as const;
    const { values, positionals } = readArgs(options.args, ['USER'], given);
    const password = await readPassword(values['password-stdin']);
    await withUser(options, positionals, async (operator, user) => {
      await operator.call('PUT', userPath(user, '/password'), { password });
      say(`${plain(user.email)} has a new password.`);
      if (!values['password-stdin']) say(`Password: ${password}`);
    });
  },
};

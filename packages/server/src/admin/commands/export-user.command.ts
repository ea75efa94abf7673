import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { messageOf } from '../../platform/errors/message-of.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { readArgs } from '../read-args.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER [--to FILE]',
  help: `Writes everything that is a user's to a ZIP archive: account, keys without their secrets, credits, settings, saved workflows, jobs with
their workflows, tasks, deliveries, and all files. Without --to it is called after the id of the user.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['USER'], { to: { type: 'string' } });
    const { signal } = options;
    await withUser(options, positionals, async (operator, user) => {
      const file = resolve(values.to ?? `${user.id}.zip`);
      if (existsSync(file)) throw new BadUse(`${file} exists. Choose another name with --to.`);
      // It has its name once it is complete.
      const part = `${file}.part`;
      const handle = await open(part, 'w', 0o600).catch((error: unknown) => {
        throw new CommandFailed(`${part} cannot be written (${messageOf(error)}).`);
      });
      try {
        const archive = await operator.download(userPath(user, '/export'));
        await pipeline(archive, handle.createWriteStream({ flush: true }), { signal });
        await rename(part, file);
      } catch (error) {
        await handle.close().catch(() => {});
        await rm(part, { force: true });
        signal.throwIfAborted();
        if (error instanceof CommandFailed) throw error;
        throw new CommandFailed(
          `The archive could not be written (${messageOf(error)}). Nothing is left of it.`,
        );
      }
      say(file);
    });
  },
};

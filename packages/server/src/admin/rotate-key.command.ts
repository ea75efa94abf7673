import type { Config } from '../config/load-config.ts';
import { claimDataFolder, DataFolderBusy } from '../platform/data-folder.ts';
import { countRunningServers } from '../platform/db/running-servers.repo.ts';
import type { ServerKey } from '../platform/db/server-secrets.repo.ts';
import { type AdminCommand, BadUse, CommandFailed, type CommandOptions, say } from './command.ts';
import { confirm, YES } from './confirm.ts';
import { openDatabase } from './open-database.ts';
import { nameOfPerson, withOperator } from './operator.ts';
import { readArgs } from './read-args.ts';
import { rotateServerKey } from './rotate-server-key.ts';
import { isServerKey, LIVE_KEYS, SERVER_KEYS } from './server-keys.ts';
import { findUser, userPath } from './users.ts';

export const rotateKeyCommand: AdminCommand = {
  usage: 'NAME [--user USER] [--now] [--yes]',
  help: `Replaces a key. list-keys names them and says what a replacement ends. signing-keys and, with --user, webhook-secret are replaced while
servers run; for all others every server must be stopped. With --now what the old key has signed ends at once: use it when a key was seen by
somebody.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['NAME'], {
      user: { type: 'string' },
      now: { type: 'boolean' },
      ...YES,
    });
    const [name = ''] = positionals;
    const { user } = values;
    const kind = isServerKey(name) ? SERVER_KEYS[name] : LIVE_KEYS[name];
    if (!kind || !Object.hasOwn({ ...SERVER_KEYS, ...LIVE_KEYS }, name))
      throw new BadUse(`There is no key ${name}. See list-keys.`);
    if ((name === 'webhook-secret') !== (user !== undefined))
      throw new BadUse('--user goes with webhook-secret, and only with it.');
    if (values.now && !kind.keepsOld) throw new BadUse(`--now changes nothing for ${name}.`);
    await confirm(`Replace ${name}? What happens: ${kind.effect}.`, values.yes, options.signal);
    if (isServerKey(name))
      await rotateStopped(options.readConfig(), name, !values.now && kind.keepsOld === true);
    else await rotateLive(options, user);
    say(`${name} is replaced.`);
  },
};

async function rotateLive(options: CommandOptions, user: string | undefined): Promise<void> {
  await withOperator(options, async (operator) => {
    if (user === undefined) return await operator.call<void>('POST', '/admin/signing-keys/rotate');
    const path = userPath(await findUser(operator, user), '/webhook-secret/rotate');
    return await operator.call<void>('POST', path);
  });
}

async function rotateStopped(config: Config, name: ServerKey, keepsOld: boolean): Promise<void> {
  await using ending = new AsyncDisposableStack();
  const db = await openDatabase(config);
  ending.defer(async () => await db.destroy());
  const lock = await claimDataFolder(config.dataFolder).catch((error: unknown) => {
    throw error instanceof DataFolderBusy ? running(name) : error;
  });
  ending.defer(lock.release);
  if (config.database.url && (await countRunningServers(db)) > 0) throw running(name);
  await rotateServerKey(db, name, { keepsOld, by: nameOfPerson() });
}

function running(name: string): CommandFailed {
  return new CommandFailed(`A server runs, and has ${name} in memory. Stop all servers, and run this again.`);
}

import type { Config } from '../../config/load-config.ts';
import type { Db } from '../../platform/db/database.ts';
import { countRunningServers } from '../../platform/db/running-servers.repo.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { claimIfFree, openDatabase } from '../installation.ts';
import { nameOfPerson, withOperator } from '../operator.ts';
import { readArgs } from '../read-args.ts';
import { endSigningKeys, rotateServerKey } from '../rotate-server-key.ts';
import { isServerKey, LIVE_KEYS, SERVER_KEYS } from '../server-keys.ts';
import { confirm, YES } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'NAME [--user USER] [--now] [--yes]',
  help: `Replaces a key. list-keys names them and says what a replacement ends. signing-keys and, with --user, webhook-secret are replaced while
servers run; for all others every server must be stopped. With --now what the old key has signed ends at once, and for signing-keys too every
server must be stopped: use it when a key was seen by somebody.`,
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
    await confirm(`Replace ${name}? What happens: ${kind.effect}.`, values.yes, options.signal);
    const by = nameOfPerson();
    if (isServerKey(name)) {
      const keepsOld = !values.now && kind.keepsOld === true;
      const rotate = async (db: Db) => await rotateServerKey(db, name, { keepsOld, by });
      await whileStopped(options.readConfig(), name, rotate);
    } else if (user !== undefined) {
      await withUser(options, [user], async (operator, account) => {
        const path = userPath(account, '/webhook-secret/rotate');
        await operator.call('POST', `${path}?now=${values.now === true}`);
      });
    } else if (values.now) {
      await whileStopped(options.readConfig(), name, async (db) => await endSigningKeys(db, by));
    } else {
      const path = '/admin/signing-keys/rotate';
      await withOperator(options, async (operator) => await operator.call('POST', path));
    }
    say(`${name} is replaced.`);
  },
};

async function whileStopped(config: Config, name: string, change: (db: Db) => Promise<void>): Promise<void> {
  await using db = await openDatabase(config);
  using lock = await claimIfFree(config);
  if (!lock || (config.database.url && (await countRunningServers(db)) > 0))
    throw new CommandFailed(
      `A server runs, and has ${name} in memory. Stop all servers, and run this again.`,
    );
  await change(db);
}

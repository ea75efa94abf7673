import { listSigningKeys } from '../../accounts/credentials/signing-keys.repo.ts';
import { toIso } from '../../platform/clock.ts';
import { listServerSecrets, OLD_SECRET_MS, oldName } from '../../platform/db/server-secrets.repo.ts';
import type { AdminCommand } from '../command.ts';
import { openDatabase } from '../installation.ts';
import { readArgs } from '../read-args.ts';
import { isServerKey, LIVE_KEYS, SERVER_KEYS } from '../server-keys.ts';
import { JSON_OPTION, printRows } from '../terminal.ts';

interface Key {
  readonly name: string;
  readonly use: string;
  readonly effect: string;
  /** `running` when it is replaced while servers run. */
  readonly servers: 'running' | 'stopped';
  readonly made_at?: string;
  readonly old_good_until?: string;
}

const COLUMNS = {
  NAME: ({ name }: Key) => name,
  MADE: ({ made_at: at }: Key) => at?.slice(0, 10),
  SERVERS: ({ servers }: Key) => servers,
  'USE, AND WHAT A NEW ONE DOES': ({ use, effect }: Key) => `${use}: ${effect}`,
};

export const command: AdminCommand = {
  usage: '[--json]',
  help: `Lists the keys that the server has made, what they are for, and what happens when one is replaced with rotate-key. Keys of vendors, of S3
and of an outside issuer are settings. API keys, tokens of publishers and of workers are replaced by those who have them.`,
  async run({ args, readConfig }) {
    const { values } = readArgs(args, [], JSON_OPTION);
    await using db = await openDatabase(readConfig());
    const [signingKey] = await listSigningKeys(db);
    const secrets = await listServerSecrets(db);
    const madeAt = new Map(secrets.map(({ name, created_at: at }) => [name, at]));
    const keys = Object.entries({ ...LIVE_KEYS, ...SERVER_KEYS }).map(([name, { use, effect }]): Key => {
      const made = name === 'signing-keys' ? signingKey?.created_at : madeAt.get(name);
      const old = isServerKey(name) ? madeAt.get(oldName(name)) : undefined;
      return {
        name,
        use,
        effect,
        servers: isServerKey(name) ? 'stopped' : 'running',
        ...(made !== undefined && { made_at: toIso(made) }),
        ...(old !== undefined && { old_good_until: toIso(old + OLD_SECRET_MS) }),
      };
    });
    printRows(keys, COLUMNS, { json: values.json, none: 'No keys.' });
  },
};

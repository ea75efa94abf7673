import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../config/load-config.ts';
import type { Db } from '../platform/db/database.ts';
import { openAsItIs } from '../platform/db/open-database.ts';
import { CommandFailed } from './command.ts';

/** The database of the installation. A command makes none and migrates none: that is up to a server. */
export async function openDatabase({ dataFolder, database }: Config): Promise<Db> {
  const file = join(dataFolder, 'atelier.sqlite');
  if (!database.url && !existsSync(file))
    throw new CommandFailed(
      `There is no installation in ${dataFolder}. Set ATELIER_DATA_DIR as the server has it, or start the server once.`,
    );
  return await openAsItIs(database.url ? { url: database.url } : { file });
}

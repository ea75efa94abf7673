import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Config } from '../../config/load-config.ts';
import { checkBackup, openBackup } from '../backups/check-backup.ts';
import { type Restore, restoreFiles, restoreRows } from '../backups/restore-parts.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { assertEmpty } from '../empty-target.ts';
import { openAsIs } from '../fill-database.ts';
import { assertNoServers, holdDatabase, holdDataFolder, sqliteFileOf } from '../installation.ts';
import { readArgs } from '../read-args.ts';
import { openStoredFiles, type StoredFiles } from '../stored-files.ts';

export const command: AdminCommand = {
  usage: '--from FOLDER [--check]',
  help: `Makes an empty installation what a backup has. The settings are those of the new server: database and place of the files may be others than
before. The whole backup is read and checked before anything is changed. A restore that was cut off is run again with the same command and
goes on where it was; no server starts before it has finished. It is a new installation: it does not start on the folders or the bucket of
the one that was backed up, and needs a backup folder of its own. --check only reads the backup.`,
  async run({ args, readConfig, signal }) {
    const options = { from: { type: 'string' }, check: { type: 'boolean' } } as const;
    const { from, check } = readArgs(args, [], options).values;
    if (from === undefined || from === '') throw new BadUse();
    const folder = resolve(from);
    const manifest = await openBackup(folder);
    if (check) {
      await checkBackup(folder, manifest, signal);
      say(`The backup of ${manifest.created_at} is whole. Files: ${manifest.files.list.lines}.`);
    } else await restore(readConfig(), { folder, manifest, signal });
  },
};

async function restore(config: Config, backup: Restore): Promise<void> {
  const { folder, manifest, signal } = backup;
  await using ending = new AsyncDisposableStack();
  const files = ending.use(await openStoredFiles(config));
  // A folder that does not exist yet is created once the backup is known to be good.
  const isThere = existsSync(config.dataFolder);
  if (isThere) ending.use(await holdDataFolder(config));
  if (config.database.url) ending.use(await holdDatabase(config.database.url));
  await assertReady(config, files, backup);
  await checkBackup(folder, manifest, signal);
  if (!isThere) ending.use(await holdDataFolder(config));
  // Somebody may have used it in the meantime.
  const unfinished = await assertReady(config, files, backup);
  const db = ending.use(openAsIs(config.database.url ?? sqliteFileOf(config)));
  if (unfinished === undefined) await restoreRows(db, backup);
  else say('database: already there, from a restore that did not finish.');
  await restoreFiles(db, files, backup);
  say(
    `Restored as of ${manifest.created_at}. Start the server now. Write its backups to a new folder: ${folder} is of the installation before.`,
  );
}

async function assertReady(config: Config, files: StoredFiles, { manifest, signal }: Restore) {
  const unfinished = await assertEmpty(config, files, signal);
  if (unfinished !== undefined && unfinished !== manifest.id)
    throw new CommandFailed(
      'The restore of another backup into this installation did not finish. Finish that one, or empty the installation. Nothing was changed.',
    );
  const { url } = config.database;
  if (url) {
    await using db = openAsIs(url);
    await assertNoServers(db);
  }
  return unfinished;
}

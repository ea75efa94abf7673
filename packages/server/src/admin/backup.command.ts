import { mkdir, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { holdFile } from '../platform/data-folder.ts';
import { readManifest } from './backups/manifest.ts';
import { dumpDatabase, finishBackup, type Lost } from './backups/write-backup.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from './command.ts';
import { assertOwnFiles, type DatabaseContent, openSnapshot, readContent } from './installation.ts';
import { isNamed } from './named-files.ts';
import { readOptions } from './options.ts';
import { openStoredFiles } from './stored-files.ts';

/** Also says that the folder is of a backup, before there is a manifest. */
const LOCK = 'backup.lock';
const SHOWN = 20;

export const backupCommand: AdminCommand = {
  usage: '--to FOLDER',
  help: `Writes the database and all files to a folder, also while servers run. The next backup into the same folder copies only new files, takes
the place of the one before and removes what the installation no longer has. Settings are not part of it: keep .env beside it. The backup
holds the keys of the installation; treat it like a password. Exit code 1 when files of the installation are missing or damaged: the rest
is in the backup then.`,
  async run({ args, readConfig, signal }) {
    const { to } = readOptions(args, { to: { type: 'string' } });
    if (to === undefined || to === '') throw new BadUse();
    await backUp(readConfig(), resolve(to), signal);
  },
};

async function backUp(config: Config, folder: string, signal: AbortSignal): Promise<void> {
  await using files = await openStoredFiles(config);
  const snapshot = await openSnapshot(config);
  await using ending = new AsyncDisposableStack();
  ending.use(snapshot);
  const content = await readContent(snapshot);
  const installation = await assertOwnFiles(snapshot, files);
  ending.defer(await takeFolder(folder, config.dataFolder, installation));
  const dump = await dumpDatabase(snapshot, { folder, content, installation, signal });
  // Files never change, so those that the rows name can be copied later.
  await snapshot[Symbol.asyncDispose]();
  const { manifest, lost } = await finishBackup(dump, { folder, files, signal });
  const stillNamed = lost.length === 0 ? [] : await namedStill(config, content, lost);
  const { list, bytes } = manifest.files;
  say(`The backup is in ${folder}: ${list.lines} files (${Math.round(bytes / 2 ** 20)} MB).`);
  if (stillNamed.length === 0) return;
  for (const { store, hash, why } of stillNamed.slice(0, SHOWN))
    process.stderr.write(`${store}: ${hash} is ${why}.\n`);
  throw new CommandFailed(
    `${stillNamed.length} files of the installation are missing or damaged and not in the backup. All else is.`,
  );
}

/** What was deleted since the rows were read is not lost. */
async function namedStill(
  config: Config,
  { layouts }: DatabaseContent,
  lost: readonly Lost[],
): Promise<Lost[]> {
  await using snapshot = await openSnapshot(config);
  const tables = new Set(layouts.map(({ name }) => name));
  const named: Lost[] = [];
  for (const file of lost) if (await isNamed(snapshot, tables, file)) named.push(file);
  return named;
}

/** Makes the folder, or refuses one that has anything but a backup of this installation. */
async function takeFolder(folder: string, dataFolder: string, installation: string): Promise<() => void> {
  const way = relative(dataFolder, folder);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
    throw new BadUse(
      'The backup would be in the data folder. Write it to another place, best on another disk.',
    );
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new CommandFailed(`${folder} cannot be made (${(error as Error).message}).`);
  });
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(LOCK))
    throw new CommandFailed(`${folder} is not empty and has no backup of Atelier. Nothing was changed.`);
  const before = await readManifest(folder);
  if (before && before.installation !== installation)
    throw new CommandFailed(`${folder} has the backup of another installation. Nothing was changed.`);
  const lock = holdFile(join(folder, LOCK));
  if (!lock) throw new CommandFailed(`Another backup is being written to ${folder}. Nothing was changed.`);
  return lock.release;
}

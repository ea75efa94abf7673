import { mkdir, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { holdFile } from '../../platform/data-folder.ts';
import { readManifest } from '../backups/manifest.ts';
import { dumpDatabase, finishBackup } from '../backups/write-backup.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { stillLost } from '../compare-files.ts';
import { assertOwnFiles, checkOwnFiles, openSnapshot, readContent } from '../installation.ts';
import { readArgs } from '../read-args.ts';
import { openStoredFiles, type StoredFiles } from '../stored-files.ts';

/** Also marks the folder as a backup before there is a manifest. */
const LOCK = 'backup.lock';
const MAX_SHOWN = 20;
/** A file that is deleted before it is copied leaves a row without a file. A second try copies only new files and takes seconds. */
const MAX_TRIES = 2;

export const command: AdminCommand = {
  usage: '--to FOLDER',
  help: `Writes the database and all files to a folder, also while servers run. The next backup into the same folder copies only new files, takes
the place of the one before and removes what the installation no longer has. Settings are not part of it: keep .env beside it. The backup
holds the keys of the installation; treat it like a password. Exit code 1 when files of the installation are missing or damaged: the rest
is in the backup then. Copies that the backup has are not read again: restore --check reads them all.`,
  async run({ args, readConfig, signal }) {
    const { to } = readArgs(args, [], { to: { type: 'string' } }).values;
    if (to === undefined || to === '') throw new BadUse();
    await backUp(readConfig(), resolve(to), signal);
  },
};

async function backUp(config: Config, folder: string, signal: AbortSignal): Promise<void> {
  await using files = await openStoredFiles(config);
  using _lock = await takeFolder(config, files, folder);
  for (let tries = 1; ; tries += 1) {
    const { manifest, lost, hasChanged } = await writeOnce(config, files, { folder, signal });
    if (hasChanged && tries < MAX_TRIES) {
      say('Files came or went meanwhile. Once more, with those that are new.');
      continue;
    }
    const { list, bytes } = manifest.files;
    say(`The backup is in ${folder}. Files: ${list.lines} (${Math.round(bytes / 2 ** 20)} MB).`);
    if (lost.length === 0) return;
    for (const { store, hash, why, isKept } of lost.slice(0, MAX_SHOWN))
      process.stderr.write(
        `${store}: ${hash} is ${why}${isKept ? ', but still in the backup' : ' and not in the backup'}.\n`,
      );
    throw new CommandFailed(
      `Files of the installation that are missing or damaged: ${lost.length}. All others are in the backup.`,
    );
  }
}

async function writeOnce(
  config: Config,
  files: StoredFiles,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
) {
  await using snapshot = await openSnapshot(config);
  const content = await readContent(snapshot);
  const installation = await assertOwnFiles(snapshot, files);
  const dump = await dumpDatabase(snapshot, { folder, content, installation, signal });
  // Files never change, so those that the rows name can be copied later.
  await snapshot[Symbol.asyncDispose]();
  const { manifest, lost: unseen } = await finishBackup(dump, files, { folder, signal });
  // Rows are written before their files and deleted after them.
  const lost = await stillLost({ config, files, tables: content.tables, signal }, unseen);
  return { manifest, lost, hasChanged: lost.length < unseen.length };
}

/** Creates and locks the folder. Refuses one that has anything but a backup of this installation. */
async function takeFolder(config: Config, files: StoredFiles, folder: string): Promise<Disposable> {
  const { dataFolder } = config;
  const installation = await checkOwnFiles(config, files);
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
  return { [Symbol.dispose]: lock.release };
}

import { parseArgs } from 'node:util';

import type { Config } from '../../config/load-config.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { countRunningServers } from '../../platform/db/running-servers.repo.ts';
import { findServerValue } from '../../platform/db/server-secrets.repo.ts';
import { S3_MARK } from '../../platform/files/mark-folders.ts';
import { assertOwnBucket, moveMark } from '../../platform/files/s3/mark-bucket.ts';
import { type Moved, moveFiles } from '../../platform/files/s3/move-files.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { compareFiles, printFiles } from '../compare-files.ts';
import { checkOwnFiles, claimIfFree, openDatabase } from '../installation.ts';
import { type FileName, STORES } from '../named-files.ts';
import { filesOnDisk, hasFile, openStoredFiles, type StoredFiles } from '../stored-files.ts';
import { createProgress } from '../terminal.ts';

const MAX_SHOWN = 10;

export const command: AdminCommand = {
  usage: '--to s3://BUCKET[/PREFIX/]',
  help: `Copies all files from the data folder to a bucket, also while the server runs. Run it again at any time: it goes on where it was. Once the
server is stopped, it copies the rest, checks that the bucket has every file that the database names, and makes the bucket the place of the
files. Files that were lost before are named, and the exit code is 1: the rest is moved then. The settings ATELIER_S3_… are those of the server;
ATELIER_S3_BUCKET and ATELIER_S3_PREFIX are given by --to.`,
  async run({ args, readConfig, signal }) {
    const to = readTo(args);
    const place = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to);
    if (!place) throw new BadUse(`--to is the address of a bucket, such as s3://atelier, not ${to}.`);
    const [, bucket = '', prefix = ''] = place;
    const config = readConfig({
      ATELIER_S3_BUCKET: bucket,
      ATELIER_S3_PREFIX: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    });
    await moveAll(config, signal);
  },
};

function readTo(args: string[]): string {
  try {
    const { to } = parseArgs({ args, options: { to: { type: 'string' } } }).values;
    if (to !== undefined) return to;
  } catch {
    // Said below.
  }
  throw new BadUse();
}

async function moveAll(config: Config, signal: AbortSignal): Promise<void> {
  const { dataFolder } = config;
  await using db = await openDatabase(config);
  const onDisk = filesOnDisk(dataFolder);
  await assertNotMoved(db);
  await checkOwnFiles(config, onDisk);
  await using files = await openStoredFiles(config);
  const { s3 } = files;
  if (!s3) throw new BadUse();
  using lock = await claimIfFree(config);
  await assertOwnBucket(db, s3);

  let corrupt = 0;
  for (const name of STORES) {
    const report = ({ copied, found, bytes }: Moved): void =>
      say(`${name}: copied ${copied} (${Math.round(bytes / 2 ** 20)} MB), already there ${found}.`);
    const moved = await moveFiles({ s3, dataFolder, name, signal, onProgress: createProgress(report) });
    report(moved);
    for (const hash of moved.corrupt)
      process.stderr.write(`${name}: ${hash} is damaged and was not copied.\n`);
    corrupt += moved.corrupt.length;
  }
  if (corrupt > 0)
    throw new CommandFailed(
      'Some files are damaged. Restore them from a backup, or remove them, and run this again.',
    );
  if (!lock || (config.database.url && (await countRunningServers(db)) > 0)) {
    say(
      'A server runs, so more files may have come since. Stop all servers and run this again: it copies the rest and takes seconds.',
    );
    return;
  }
  const lost = await findLost(config, { files, onDisk, signal });
  // Another move may have ended meanwhile.
  await assertNotMoved(db);
  await moveMark(db, s3, systemClock());
  const { bucket, prefix } = s3;
  say(
    `The files are in s3://${bucket}/${prefix} now. Start the server with ATELIER_S3_BUCKET=${bucket}${prefix === '' ? '' : ` and ATELIER_S3_PREFIX=${prefix}`}.\nThe copies in ${dataFolder} were not touched; remove ${[...STORES, 'users'].join(', ')} there when all is well.`,
  );
  if (lost > 0)
    throw new CommandFailed(
      `Files that were missing or damaged before, and are not in the bucket: ${lost}. All others are.`,
    );
}

async function assertNotMoved(db: Db): Promise<void> {
  if ((await findServerValue(db, S3_MARK)) !== undefined)
    throw new CommandFailed('The files of this database are in an S3 bucket already. Nothing was changed.');
}

/**
 * Prints the files that were missing or damaged before the move, and returns how many there are. They do not stop the move. A file that is
 * on the disk and not in the bucket does.
 */
async function findLost(
  config: Config,
  {
    files,
    onDisk,
    signal,
  }: { readonly files: StoredFiles; readonly onDisk: StoredFiles; readonly signal: AbortSignal },
): Promise<number> {
  const { missing, damaged } = await compareFiles(config, files, { isReading: false, signal });
  const lost: FileName[] = [];
  const left: FileName[] = [];
  for (const file of missing) ((await hasFile(onDisk, file, signal)) ? left : lost).push(file);
  printFiles('is missing', lost, MAX_SHOWN);
  printFiles('is damaged', damaged, MAX_SHOWN);
  printFiles('is not in the bucket', left, MAX_SHOWN);
  if (left.length > 0)
    throw new CommandFailed(
      `Files that are in ${onDisk.place} and not in ${files.place}: ${left.length}. Run this again. Until then the files are those on the disk.`,
    );
  return lost.length + damaged.length;
}

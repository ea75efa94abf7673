import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Config } from '../config/load-config.ts';
import { systemClock } from '../platform/clock.ts';
import { claimDataFolder, DataFolderBusy } from '../platform/data-folder.ts';
import { openPostgres, openSqlite } from '../platform/db/open-database.ts';
import { countRunningServers } from '../platform/db/running-servers.repo.ts';
import { checkS3 } from '../platform/files/s3/check-s3.ts';
import { assertOwnBucket, moveMark } from '../platform/files/s3/mark-bucket.ts';
import { type Moved, moveFiles } from '../platform/files/s3/move-files.ts';
import { openS3 } from '../platform/files/s3/s3-client.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from './command.ts';
import { STORES } from './named-files.ts';

const PROGRESS_MS = 2_000;

export const moveFilesCommand: AdminCommand = {
  usage: '--to s3://BUCKET[/PREFIX/]',
  help: `Copies all files from the data folder to a bucket, also while the server runs. Run it again at any time: it goes on where it was. Once the
server is stopped, it copies the rest and makes the bucket the place of the files. The settings ATELIER_S3_… are those of the server;
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
  if (!config.s3) throw new BadUse();
  const { dataFolder } = config;
  if (!existsSync(dataFolder))
    throw new CommandFailed(`There is no data folder ${dataFolder}. Set ATELIER_DATA_DIR.`);
  const s3 = await openS3(config.s3);
  await using ending = new AsyncDisposableStack();
  ending.defer(s3.close);
  await checkS3(s3);
  const lock = await claimDataFolder(dataFolder).catch((error: unknown) => {
    if (error instanceof DataFolderBusy) return undefined;
    throw error;
  });
  if (lock) ending.defer(lock.release);
  const { url, poolSize } = config.database;
  const onLost = () => {};
  const db = url
    ? await openPostgres({ url, poolSize, onLost })
    : await openSqlite(join(dataFolder, 'atelier.sqlite'));
  ending.defer(async () => await db.destroy());
  await assertOwnBucket(db, s3);

  let corrupt = 0;
  for (const name of STORES) {
    let toldAt = performance.now();
    const onProgress = (moved: Moved): void => {
      if (performance.now() - toldAt < PROGRESS_MS) return;
      toldAt = performance.now();
      sayMoved(name, moved);
    };
    const moved = await moveFiles({ s3, dataFolder, name, signal, onProgress });
    sayMoved(name, moved);
    for (const hash of moved.corrupt)
      process.stderr.write(`${name}: ${hash} is damaged and was not copied.\n`);
    corrupt += moved.corrupt.length;
  }
  if (corrupt > 0)
    throw new CommandFailed(
      'Some files are damaged. Restore them from a backup, or remove them, and run this again.',
    );
  if (!lock || (url && (await countRunningServers(db)) > 0)) {
    say(
      'A server runs, so more files may have come since. Stop all servers and run this again: it copies the rest and takes seconds.',
    );
    return;
  }
  await moveMark(db, s3, systemClock());
  const { bucket, prefix } = s3;
  say(
    `The files are in s3://${bucket}/${prefix} now. Start the server with ATELIER_S3_BUCKET=${bucket}${prefix === '' ? '' : ` and ATELIER_S3_PREFIX=${prefix}`}.\nThe copies in ${dataFolder} were not touched; remove ${[...STORES, 'users'].join(', ')} there when all is well.`,
  );
}

function sayMoved(name: string, { copied, found, bytes }: Moved): void {
  const megabytes = Math.round(bytes / 2 ** 20);
  say(`${name}: copied ${copied} (${megabytes} MB), already there ${found}.`);
}

import { once } from 'node:events';
import {
  createPostgresDatabase,
  type RunningServer,
  shareFiles,
  spawnServer,
  startServer,
  temporaryFolder,
} from '@atelier/testing';

import { until } from './until.ts';

/** Another server on the database and the files of the first. */
export async function startSecond(
  { dataFolder }: RunningServer,
  environment: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  return await start(environment, async (folder) => await shareFiles(dataFolder, folder));
}

/** One server that runs jobs, and one that only answers, on one database. `releases` gets what ends them. */
export async function startPair(
  environment: Readonly<Record<string, string>>,
  releases: (() => Promise<void>)[],
): Promise<{ readonly runs: RunningServer; readonly answers: { readonly url: string } }> {
  const database = await createPostgresDatabase();
  releases.push(database.drop);
  const shared = { ...environment, ATELIER_RUNNERS: '1', ATELIER_DATABASE_URL: database.url };
  const runs = await startServer({ environment: shared });
  releases.push(async () => await runs[Symbol.asyncDispose]());
  const answers = await startSecond(runs, { ...shared, ATELIER_RUNNERS: '0' });
  releases.push(async () => await answers[Symbol.asyncDispose]());
  return { runs, answers };
}

/** Another server on the same database, with nothing of the first one's data folder. */
export async function startApart(
  environment: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  return await start({ ATELIER_CONSOLE: 'off', ...environment }, async () => {});
}

async function start(
  environment: Readonly<Record<string, string>>,
  prepare: (folder: string) => Promise<void>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = await temporaryFolder();
  await prepare(folder.path);
  const { child, output } = spawnServer({ ...environment, ATELIER_DATA_DIR: folder.path });
  const url = await until('the second server', () => /Atelier listens on ([^\s,]+)/.exec(output())?.[1]);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await folder[Symbol.asyncDispose]();
    },
  };
}

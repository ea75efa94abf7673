import { once } from 'node:events';
import { type RunningServer, shareFiles, spawnServer, temporaryFolder } from '@atelier/testing';

import { until } from './until.ts';

/** Another server on the database and the files of the first. */
export async function startSecond(
  { dataFolder }: RunningServer,
  environment: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  return await start(environment, async (folder) => await shareFiles(dataFolder, folder));
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

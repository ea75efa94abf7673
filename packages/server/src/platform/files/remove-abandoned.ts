import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '../clock.ts';
import { errorCode } from '../errors/error-code.ts';

/** No put goes an hour without writing: what is older was left by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const SWEEP_BUDGET_MS = 2_000;

/** Removes temporary files of processes that were killed. What is not reached in time waits for the next start. */
export async function removeAbandoned(folder: string): Promise<void> {
  const started = systemClock();
  for await (const entry of await opendir(folder)) {
    if (systemClock() - started > SWEEP_BUDGET_MS) return;
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const modifiedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return started;
        throw error;
      },
    );
    if (started - modifiedAt > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

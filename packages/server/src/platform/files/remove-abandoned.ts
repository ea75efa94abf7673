import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '../clock.ts';
import { ifThere } from './missing-file.ts';

/** A put never pauses for an hour: older files were left by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const SWEEP_BUDGET_MS = 2_000;

/** Removes temporary files of killed processes. Stops after `SWEEP_BUDGET_MS`; the next start continues. */
export async function removeAbandoned(folder: string): Promise<void> {
  const started = systemClock();
  for await (const entry of await opendir(folder)) {
    if (systemClock() - started > SWEEP_BUDGET_MS) return;
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const found = await ifThere(stat(path));
    if (found && started - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

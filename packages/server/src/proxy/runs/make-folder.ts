import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that goes with whoever uses it. */
export async function makeFolder(parent: string) {
  const path = await mkdtemp(join(parent, 'step-'));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
}

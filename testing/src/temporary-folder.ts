import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'atelier-'));
  return {
    path,
    // A process that was killed may leave children that still write.
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

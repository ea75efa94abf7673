import { join } from 'node:path';

import type { Logger } from '../log/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { repeatEvery } from '../repeat-every.ts';
import type { FileStore } from './file-store.ts';
import { createLocalFileStore } from './local-file-store.ts';
import type { S3 } from './s3/s3-client.ts';
import { createS3FileStore } from './s3/s3-file-store.ts';
import type { UrlSigner } from './signed-urls.ts';

/** 48 GB a day per store: slow enough not to be noticed. */
const SCRUB_MS = 60 * 60_000;
const SCRUB_BYTES = 2 * 2 ** 30;

/** Opens stores that slowly check their files while the server runs, and report corrupt ones. */
export function createStores(parts: {
  readonly folder: string;
  readonly s3: S3 | undefined;
  readonly signer: UrlSigner;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly onError: (error: unknown) => void;
  /** Called with the reason when an S3 store refuses a file. */
  readonly onRefused: (said: string) => void;
  readonly cleanup: AsyncDisposableStack;
}) {
  const { folder, s3, signer, metrics, log, onError, onRefused, cleanup } = parts;
  const labels = { store: ['files', 'uploads', 'tasks', 'outputs'] } as const;
  const corrupt = metrics.counter({
    name: 'atelier_corrupt_files_total',
    help: 'Stored files that were found not to hash to their names any more.',
    labels,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  return async (name: (typeof labels.store)[number]): Promise<FileStore> => {
    const onCorrupt = (hash: string) => {
      corrupt.add({ store: name });
      log.error({ store: name, hash }, 'a stored file is corrupt and was set aside');
    };
    const keep = (close: () => Promise<void>, work: () => Promise<void>) => {
      const onFailed = (error: unknown) => (signal.aborted ? undefined : onError(error));
      cleanup.defer(repeatEvery(SCRUB_MS, work, onFailed));
      cleanup.defer(close);
      cleanup.defer(() => stopping.abort());
    };
    if (s3) {
      const spoolFolder = join(folder, 'spool', name);
      const store = await createS3FileStore({ s3, name, spoolFolder, signer, onCorrupt, onRefused });
      keep(store.close, async () => await store.tidy(signal));
      return store;
    }
    const store = await createLocalFileStore({ folder: join(folder, name), signer, onCorrupt });
    keep(store.close, async () => await store.scrub({ maxBytes: SCRUB_BYTES, signal }));
    return store;
  };
}

import type { Db } from '../platform/db/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { ServiceParts } from '../platform/service-parts.ts';

/**
 * Counts what the files of a task take, in the transaction that names or forgets them and last in it, because others lock the
 * user's count first. With `assertRoom` it refuses when the account had no room before.
 */
type CountStorage = (
  tx: Db,
  userId: string,
  change: { readonly files: number; readonly bytes: number },
  options?: { readonly assertRoom?: boolean },
) => Promise<void>;

/** What the parts of the proxy share. */
export interface ProxyParts extends ServiceParts {
  /** Of tasks alone: a sweep deletes what no task has. */
  readonly store: FileStore;
  /** For the files of steps under way; emptied at the start. */
  readonly workFolder: string;
  readonly countStorage: CountStorage;
  readonly onError: (error: unknown) => void;
}

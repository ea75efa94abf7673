import type { Db } from '../platform/db/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { ServiceParts } from '../platform/service-parts.ts';

/**
 * Changes the storage count of a user, last in the transaction that adds or removes files, because other transactions lock the count
 * first. With `assertRoom` it throws if the account had no room before.
 */
type CountStorage = (
  tx: Db,
  userId: string,
  change: { readonly files: number; readonly bytes: number },
  options?: { readonly assertRoom?: boolean },
) => Promise<void>;

export interface ProxyParts extends ServiceParts {
  /** Only for files of tasks, because a sweep deletes what no task has. */
  readonly store: FileStore;
  /** For files of steps under way. Emptied at the start. */
  readonly workFolder: string;
  readonly countStorage: CountStorage;
  readonly onError: (error: unknown) => void;
}

import type { Clock } from './clock.ts';
import type { Db } from './db/database.ts';

/** What most services need. */
export interface ServiceParts {
  readonly db: Db;
  readonly clock: Clock;
}

import type { Migration } from 'kysely';

import * as accounts from './0001-accounts.ts';
import * as registry from './0002-registry.ts';

/** In order, forward only. A released file never changes; a new table is a new number. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-registry': registry,
};

import { randomUUID } from 'node:crypto';

import { createAccountsService } from '../../src/accounts/accounts.service.ts';
import { createCredits } from '../../src/accounts/credits/credits.service.ts';
import { createSubscriptions } from '../../src/accounts/credits/subscriptions.service.ts';
import { createAudit } from '../../src/platform/audit/audit.service.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Db } from '../../src/platform/db/database.ts';
import type { UserRow } from '../../src/platform/db/schema/accounts.ts';

/** A new account without a password. */
export async function aUser(db: Db): Promise<UserRow> {
  const clock = systemClock;
  const subscriptions = createSubscriptions({ db, clock, onLimit: async () => {} });
  const audit = createAudit({ db, clock });
  const accounts = createAccountsService({ db, clock, audit, credits: createCredits(clock), subscriptions });
  return await accounts.open(db, { email: `${randomUUID()}@example.com`, passwordHash: null });
}

import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { randomToken } from '../platform/ids.ts';
import type { AccountsService } from './accounts.service.ts';
import type { ApiKeysService } from './credentials/api-keys.service.ts';
import type { Credits } from './credits/credits.service.ts';
import { putSubscription } from './credits/subscriptions.repo.ts';
import { hashPassword } from './sign-in/passwords.ts';
import { hasUsers } from './users.repo.ts';

export const FIRST_EMAIL = 'admin@atelier.local';
const FIRST_CREDITS = 100_000;

interface Parts {
  readonly db: Db;
  readonly audit: Pick<Audit, 'add'>;
  readonly accounts: AccountsService;
  readonly apiKeys: ApiKeysService;
  readonly credits: Credits;
  readonly dataFolder: string;
}

/**
 * Creates an administrator in an empty database and writes the credentials to bootstrap.json. The file is in place before the commit, so
 * there is never an administrator without known credentials. `undefined` when there are users.
 */
export async function bootstrap({ db, audit, accounts, apiKeys, credits, dataFolder }: Parts) {
  if (await hasUsers(db)) return undefined;
  const password = randomToken(18);
  const passwordHash = await hashPassword(password);

  return await withTransaction(db, async (tx) => {
    await lockByName(tx, 'bootstrap');
    // Another server on the same PostgreSQL may have been faster.
    if (await hasUsers(tx)) return undefined;
    const admin = await accounts.open(tx, {
      email: FIRST_EMAIL,
      name: 'Administrator',
      passwordHash,
      role: 'admin',
    });
    await putSubscription(tx, { user_id: admin.id, tier: 'pro', status: 'active', period_end: null });
    await credits.grant(tx, {
      userId: admin.id,
      amount: FIRST_CREDITS,
      reference: `grant:first-start:${admin.id}`,
      reason: 'first start',
    });
    await audit.add(tx, 'server', 'user.create', userSubject(admin.id), { role: 'admin' });
    const { api_key } = await apiKeys.create({ userId: admin.id }, { name: 'first start' }, tx);
    const file = join(dataFolder, 'bootstrap.json');
    await writePrivately(file, { email: FIRST_EMAIL, password, api_key: api_key.plaintext_key });
    return { file, userId: admin.id };
  });
}

async function writePrivately(file: string, content: Record<string, string>): Promise<void> {
  await using handle = await open(`${file}.new`, 'w', 0o600);
  await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
  await handle.chmod(0o600);
  await handle.sync();
  await rename(`${file}.new`, file);
}

import type { Rescued } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { randomToken } from '../platform/ids.ts';
import type { AccountsService } from './accounts.service.ts';
import { FIRST_EMAIL } from './bootstrap.ts';
import type { ApiKeysService } from './credentials/api-keys.service.ts';
import type { Subscriptions } from './credits/subscriptions.service.ts';
import { hashPassword } from './sign-in/passwords.ts';
import * as users from './users.repo.ts';

interface Parts {
  readonly db: Db;
  readonly audit: Pick<Audit, 'add'>;
  readonly accounts: Pick<AccountsService, 'open' | 'replacePassword'>;
  readonly apiKeys: Pick<ApiKeysService, 'create' | 'hasRoom'>;
  readonly subscriptions: Pick<Subscriptions, 'changed'>;
  readonly onRevoked: (userId: string) => void;
}

export type RescueAdministrator = ReturnType<typeof createRescueAdministrator>;

/**
 * Gives an administrator access again when password and key are lost: a new password and key for the account with that address, which is
 * created if missing, or for the oldest administrator. Only for operators.
 */
export function createRescueAdministrator({ db, audit, accounts, apiKeys, subscriptions, onRevoked }: Parts) {
  return async (actor: Actor, email: string | undefined): Promise<Rescued> => {
    if (!actor.isOperator)
      throw new AppError('auth.forbidden', 'Only operators may do this, on the machine of the server.');
    const password = randomToken(18);
    const passwordHash = await hashPassword(password);
    const rescued = await withTransaction(db, async (tx) => {
      await lockByName(tx, 'bootstrap');
      const found = await (email === undefined
        ? users.findOldestAdmin(tx)
        : users.findUserByEmail(tx, email));
      const user =
        found ?? (await accounts.open(tx, { email: email ?? FIRST_EMAIL, passwordHash, role: 'admin' }));
      if (found) {
        await users.setRole(tx, user.id, 'admin');
        await users.setBan(tx, user.id, null);
        await accounts.replacePassword(tx, user.id, passwordHash);
      }
      const key = (await apiKeys.hasRoom(tx, user.id))
        ? (await apiKeys.create({ userId: user.id }, { name: 'rescue' }, tx)).api_key.plaintext_key
        : undefined;
      await audit.add(tx, actor, 'user.rescue', userSubject(user.id), {
        created: found === undefined,
        ...(found && { role: found.role, status: found.status }),
      });
      return { id: user.id, email: user.email, password, created: !found, ...present({ api_key: key }) };
    });
    onRevoked(rescued.id);
    await subscriptions.changed(rescued.id);
    return rescued;
  };
}

import type { Account, AccountPage } from '@atelier/contracts';

import { CommandFailed } from './command.ts';
import type { Operator } from './operator.ts';

const PAGE = 100;

/** A user by id or e-mail address. */
export async function findUser(operator: Operator, idOrEmail: string): Promise<Account> {
  if (!idOrEmail.includes('@'))
    return await operator.call<Account>('GET', `/admin/users/${encodeURIComponent(idOrEmail)}`);
  const wanted = idOrEmail.trim().toLowerCase();
  for await (const user of listUsers(operator, idOrEmail))
    if (user.email.trim().toLowerCase() === wanted) return user;
  throw new CommandFailed(`There is no user ${idOrEmail}.`);
}

/** Oldest first. */
export async function* listUsers(operator: Operator, search: string | undefined): AsyncGenerator<Account> {
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({
      page: String(page),
      limit: String(PAGE),
      ...(search !== undefined && { search }),
    });
    const { users, totalPages } = await operator.call<AccountPage>('GET', `/admin/users?${query}`);
    yield* users;
    if (page >= totalPages) return;
  }
}

export function userPath({ id }: Pick<Account, 'id'>, rest = ''): string {
  return `/admin/users/${encodeURIComponent(id)}${rest}`;
}

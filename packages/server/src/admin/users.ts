import type { Account, AccountPage } from '@atelier/contracts';

import { CommandFailed, type CommandOptions } from './command.ts';
import { type Operator, withOperator } from './operator.ts';

/** Calls `work` with the user whose id or e-mail address is the first argument. */
export async function withUser<T>(
  options: CommandOptions,
  [idOrEmail = '']: readonly string[],
  work: (operator: Operator, user: Account) => Promise<T>,
): Promise<T> {
  return await withOperator(
    options,
    async (operator) => await work(operator, await findUser(operator, idOrEmail)),
  );
}

export async function findUser(operator: Operator, idOrEmail: string): Promise<Account> {
  if (!idOrEmail.includes('@')) return await operator.call<Account>('GET', userPath({ id: idOrEmail }));
  const wanted = idOrEmail.trim().toLowerCase();
  for await (const user of listUsers(operator, idOrEmail))
    if (user.email.trim().toLowerCase() === wanted) return user;
  throw new CommandFailed(`There is no user ${idOrEmail}.`);
}

/** Oldest first. */
export async function* listUsers(operator: Operator, search: string | undefined): AsyncGenerator<Account> {
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({
      page: `${page}`,
      limit: '100',
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

import type { Account } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** A user by id or e-mail address. */
export async function findUser(
  { atelier, signal }: Pick<Context, 'atelier' | 'signal'>,
  idOrEmail: string,
): Promise<Account> {
  const { users } = (await atelier()).admin;
  if (!idOrEmail.includes('@')) return await users.get(idOrEmail, { signal });
  const email = idOrEmail.toLowerCase();
  for await (const user of users.list({ search: email, signal }))
    if (user.email.toLowerCase() === email) return user;
  throw new CliError(`There is no user ${idOrEmail}.`, {
    exitCode: EXIT.refused,
    advice: 'See "atelier users list".',
  });
}

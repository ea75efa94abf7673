import { createList, type List, nextPage } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { Account, AccountPage, ChangeCredits, NewUser, SetSubscription } from './wire.ts';

/** Accounts of all users. */
export function createAdminUsers(transport: Transport) {
  return {
    /** All accounts, or those whose e-mail address or name contains the text. */
    list({
      search,
      ...options
    }: CallOptions & { readonly search?: string | undefined } = {}): List<Account, AccountPage> {
      return createList<Account, AccountPage, number>({
        load: async (page = 1) =>
          await transport.get('AccountPage', '/admin/users', {
            ...options,
            query: { page, limit: 100, search },
          }),
        items: ({ users }) => users,
        next: nextPage,
      });
    },
    /** One account with its subscription and credits. */
    get: async (id: string, options: CallOptions = {}) =>
      await transport.get('Account', path`/admin/users/${id}`, options),
    /** Creates an account. */
    create: async (user: NewUser, options: CallOptions = {}) =>
      await transport.post('Account', '/admin/users', { ...options, body: user }),
    /** Deletes an account and everything it has. This cannot be undone. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/admin/users/${id}`, options),
    /** Grants or revokes the administrator role. */
    setRole: async (id: string, role: Account['role'], options: CallOptions = {}) =>
      await transport.put('Account', path`/admin/users/${id}/role`, { ...options, body: { role } }),
    /** Replaces a password. Ends the sessions and tokens of the account. */
    setPassword: async (id: string, password: string, options: CallOptions = {}): Promise<void> =>
      await transport.put('nothing', path`/admin/users/${id}/password`, { ...options, body: { password } }),
    /** Sets the plan of an account. */
    setSubscription: async (id: string, subscription: SetSubscription, options: CallOptions = {}) =>
      await transport.put('Subscription', path`/admin/users/${id}/subscription`, {
        ...options,
        body: subscription,
      }),
    /** Adds credits; a negative amount with a reason takes them away. Returns the new balance. */
    changeCredits: async (id: string, change: ChangeCredits, options: CallOptions = {}): Promise<number> =>
      (await transport.post('Balance', path`/admin/users/${id}/credits`, { ...options, body: change }))
        .balance,
    /** Bans a user and cancels their jobs. */
    ban: async (id: string, reason: string, options: CallOptions = {}): Promise<void> =>
      await transport.post('nothing', path`/admin/users/${id}/ban`, {
        ...options,
        body: { reason },
        isRepeatable: true,
      }),
    /** Lifts a ban. */
    unban: async (id: string, options: CallOptions = {}): Promise<void> =>
      await transport.post('nothing', path`/admin/users/${id}/unban`, { ...options, isRepeatable: true }),
  };
}

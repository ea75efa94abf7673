import {
  Account,
  ApiKeys,
  ChangePassword,
  CreatedApiKey,
  CreditLedger,
  LedgerQuery,
  NewApiKey,
} from '@atelier/contracts';

import type { Db } from '../platform/db/database.ts';
import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { AccountsService } from './accounts.service.ts';
import type { ApiKeysService } from './credentials/api-keys.service.ts';
import type { Credits } from './credits/credits.service.ts';
import type { SignIn } from './sign-in/sign-in.service.ts';

interface Parts {
  readonly db: Db;
  readonly accounts: AccountsService;
  readonly apiKeys: ApiKeysService;
  readonly credits: Credits;
  readonly signIn: SignIn;
}

export const customersRoutes: Routes<Parts> =
  ({ db, accounts, apiKeys, credits, signIn }) =>
  async (app) => {
    const parameters = { keyId: 'Id of the key, from the list.' };
    const route = createRouteDefiner(app, { tag: 'accounts', parameters });
    route('GET', '/customers/me', {
      operation: 'customers.me',
      summary: 'Your account',
      description:
        'Includes the balance of credits and the subscription, with how many of your jobs may run at once.',
      response: { 200: Account },
      handle: async ({ actor }) => await accounts.account(actor.userId),
    });

    route('PUT', '/customers/me/password', {
      operation: 'customers.password',
      failures: [429],
      summary: 'Change your password; ends your sessions and tokens',
      description:
        'Needs the current password; too many wrong ones within 15 minutes get 429 with `Retry-After`. API keys stay good.',
      body: ChangePassword,
      response: done('Changed.'),
      handle: async ({ actor, body, request }) => {
        const { current_password: password, new_password: replacement } = body;
        await signIn({ email: actor.email, password, address: request.ip, isSignedIn: true });
        await accounts.changePassword(actor, replacement);
      },
    });

    route('GET', '/customers/credits', {
      operation: 'customers.credits',
      summary: 'Your credits and how they changed',
      description:
        'Entries are newest first. A paid task has a `reserve` entry when it is created and a `settle` or `return` entry when it ends, all under the reference `task:<id>`.',
      query: LedgerQuery.properties,
      response: { 200: CreditLedger },
      handle: async ({ actor, query }) => await credits.ledger(db, actor.userId, query),
    });

    route('GET', '/customers/api-keys', {
      operation: 'customers.keys.list',
      summary: 'Your API keys, without their secrets',
      description: '`key_prefix` has the first characters of a key, to tell keys apart.',
      response: { 200: ApiKeys },
      handle: async ({ actor }) => ({ api_keys: await apiKeys.list(actor.userId) }),
    });

    route('POST', '/customers/api-keys', {
      operation: 'customers.keys.create',
      failures: [409],
      summary: 'Make an API key',
      description:
        '`plaintext_key` is shown in this answer only: the server keeps a hash. A key never expires and outlives a change of password. With `scopes` it is good for nothing else: a request beyond them gets 403 `auth.scope`. A key with scopes makes none with more. An account has at most 100 keys.',
      body: NewApiKey,
      response: { 201: CreatedApiKey },
      handle: async ({ actor, body }) => await apiKeys.create(actor, body),
    });

    route('DELETE', '/customers/api-keys/:keyId', {
      operation: 'customers.keys.delete',
      failures: [404],
      summary: 'Revoke an API key at once',
      description: 'Requests with the key get 401 from then on. The list of keys has its id.',
      response: done('Revoked.'),
      handle: async ({ actor, params }) => await apiKeys.remove(actor.userId, params.keyId),
    });
  };

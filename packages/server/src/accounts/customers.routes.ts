import {
  Account,
  ApiKeys,
  ChangePassword,
  CreatedApiKey,
  CreditLedger,
  LedgerQuery,
  NewApiKey,
} from '@atelier/contracts';
import { Type } from 'typebox';

import type { Db } from '../platform/db/database.ts';
import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { AccountsService } from './accounts.service.ts';
import type { ApiKeysService } from './api-keys.service.ts';
import type { Credits } from './credits.service.ts';
import type { SignIn } from './sign-in.service.ts';

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
    app.get(
      '/customers/me',
      {
        config: { operation: 'customers.me', access: 'user', session: true },
        schema: {
          summary: 'Your account',
          description:
            'Includes the balance of credits and the subscription, with how many of your jobs may run at once.',
          tags: ['accounts'],
          response: { 200: Account },
        },
      },
      async (request) => await accounts.account(actorOf(request).userId),
    );

    app.put(
      '/customers/me/password',
      {
        config: { operation: 'customers.password', access: 'user', session: true, failures: [429] },
        schema: {
          summary: 'Change your password; ends your sessions and tokens',
          description:
            'Needs the current password; too many wrong ones within 15 minutes get 429 with `Retry-After`. API keys stay good.',
          tags: ['accounts'],
          body: ChangePassword,
          response: { 204: Type.Null({ description: 'Changed.' }) },
        },
      },
      async (request, reply) => {
        const { current_password, new_password } = request.body;
        const actor = actorOf(request);
        await signIn({
          email: actor.email,
          password: current_password,
          address: request.ip,
          isSignedIn: true,
        });
        await accounts.changePassword(actor, new_password);
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/customers/credits',
      {
        config: { operation: 'customers.credits', access: 'user', session: true },
        schema: {
          summary: 'Your credits and what became of them',
          description:
            'Entries are newest first. A paid task has a `reserve` entry when it is created and a `settle` or `return` entry when it ends, all under the reference `task:<id>`.',
          tags: ['accounts'],
          querystring: LedgerQuery,
          response: { 200: CreditLedger },
        },
      },
      async (request) => await credits.ledger(db, actorOf(request).userId, request.query),
    );

    app.get(
      '/customers/api-keys',
      {
        config: { operation: 'customers.keys.list', access: 'user', session: true },
        schema: {
          summary: 'Your API keys, without their secrets',
          description: '`key_prefix` has the first characters of a key, to tell keys apart.',
          tags: ['accounts'],
          response: { 200: ApiKeys },
        },
      },
      async (request) => ({ api_keys: await apiKeys.list(actorOf(request).userId) }),
    );

    app.post(
      '/customers/api-keys',
      {
        config: { operation: 'customers.keys.create', access: 'user', session: true, failures: [409] },
        schema: {
          summary: 'Make an API key',
          description:
            '`plaintext_key` is shown in this answer only: the server keeps a hash. A key never expires and outlives a change of password. An account has at most 100 keys.',
          tags: ['accounts'],
          body: NewApiKey,
          response: { 201: CreatedApiKey },
        },
      },
      async (request, reply) =>
        await reply.code(201).send(await apiKeys.create(actorOf(request).userId, request.body)),
    );

    app.delete(
      '/customers/api-keys/:keyId',
      {
        config: { operation: 'customers.keys.delete', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Revoke an API key at once',
          description: 'Requests with the key get 401 from then on. The list of keys has its id.',
          tags: ['accounts'],
          params: Type.Object({ keyId: Type.String({ description: 'Id of the key, from the list.' }) }),
          response: { 204: Type.Null({ description: 'Revoked.' }) },
        },
      },
      async (request, reply) => {
        await apiKeys.remove(actorOf(request).userId, request.params.keyId);
        return await reply.code(204).send(null);
      },
    );
  };

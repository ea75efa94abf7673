import {
  Account,
  AccountPage,
  Balance,
  Ban,
  ChangeCredits,
  NewUser,
  SetPassword,
  SetRole,
  SetSubscription,
  Subscription,
  UserParams,
  UserQuery,
} from '@atelier/contracts';
import { type TSchema, Type } from 'typebox';

import { actorOf, requireAdmin } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { AccountsService } from './accounts.service.ts';
import type { SigningKeys } from './signing-keys.ts';

interface Parts {
  readonly accounts: AccountsService;
  readonly keys: SigningKeys;
}

/** The service asks for the role, because 404 comes before 403. */
export const adminRoutes: Routes<Parts> =
  ({ accounts, keys }) =>
  async (app) => {
    const config = (operation: string, ...failures: number[]) =>
      ({ operation, access: 'user', session: true, failures }) as const;
    const done = (description: string): { 204: TSchema } => ({ 204: Type.Null({ description }) });
    const tags = ['administration'];

    app.post(
      '/admin/users',
      {
        config: config('admin.users.create', 409),
        schema: {
          summary: 'Create a user',
          description:
            'The account starts on the tier `free`, inactive and without credits, so its jobs do not run until it has an active subscription of another tier. Without a name, the part of the e-mail address before the `@` is used. For administrators.',
          tags,
          body: NewUser,
          response: { 201: Account },
        },
      },
      async (request, reply) =>
        await reply.code(201).send(await accounts.create(actorOf(request), request.body)),
    );

    app.get(
      '/admin/users',
      {
        config: config('admin.users.list'),
        schema: {
          summary: 'List users, or find some by e-mail or name',
          description: 'Oldest account first. For administrators.',
          tags,
          querystring: UserQuery,
          response: { 200: AccountPage },
        },
      },
      async (request) => await accounts.list(actorOf(request), request.query),
    );

    app.get(
      '/admin/users/:userId',
      {
        config: config('admin.users.read', 404),
        schema: {
          summary: 'One user',
          description: 'The same account that the user sees at `GET /customers/me`. For administrators.',
          tags,
          params: UserParams,
          response: { 200: Account },
        },
      },
      async (request) => await accounts.read(actorOf(request), request.params.userId),
    );

    app.delete(
      '/admin/users/:userId',
      {
        config: config('admin.users.delete', 404, 409),
        schema: {
          summary: 'Delete a user and everything that is theirs',
          description:
            'Jobs and tasks are cancelled; files, history, keys, credits and reviews are deleted. Refused while the user is the only owner of a publisher with nodes, and for the last active administrator. For administrators.',
          tags,
          params: UserParams,
          response: done('Deleted.'),
        },
      },
      async (request, reply) => {
        await accounts.delete(actorOf(request), request.params.userId);
        return await reply.code(204).send(null);
      },
    );

    app.put(
      '/admin/users/:userId/subscription',
      {
        config: config('admin.users.subscription', 404),
        schema: {
          summary: "Set a user's subscription",
          description:
            'The tier decides how many jobs of the user run at once: `free` 0, `standard` 1, `creator` 3, `pro` 5, `team` 25. None run while the subscription is inactive or past `period_end`. For administrators.',
          tags,
          params: UserParams,
          body: SetSubscription,
          response: { 200: Subscription },
        },
      },
      async (request) =>
        await accounts.setSubscription(actorOf(request), request.params.userId, request.body),
    );

    app.post(
      '/admin/users/:userId/credits',
      {
        config: config('admin.users.credits', 404, 409),
        schema: {
          summary: 'Grant credits, or take some away with a reason',
          description:
            "Answers with the new balance, which never falls below 0: taking away more gets 409. The user's ledger shows a `grant` or a `correction` with the reason. For administrators.",
          tags,
          params: UserParams,
          body: ChangeCredits,
          response: { 200: Balance },
        },
      },
      async (request) => ({
        balance: await accounts.changeCredits(actorOf(request), request.params.userId, request.body),
      }),
    );

    app.put(
      '/admin/users/:userId/role',
      {
        config: config('admin.users.role', 404, 409),
        schema: {
          summary: 'Make a user an administrator, or no longer one',
          description: 'The last active administrator cannot give up the role: 409. For administrators.',
          tags,
          params: UserParams,
          body: SetRole,
          response: { 200: Account },
        },
      },
      async (request) => await accounts.setRole(actorOf(request), request.params.userId, request.body.role),
    );

    app.put(
      '/admin/users/:userId/password',
      {
        config: config('admin.users.password', 404),
        schema: {
          summary: "Replace a user's password; ends their sessions and tokens",
          description: "Needs no old password. The user's API keys stay good. For administrators.",
          tags,
          params: UserParams,
          body: SetPassword,
          response: done('Replaced.'),
        },
      },
      async (request, reply) => {
        await accounts.resetPassword(actorOf(request), request.params.userId, request.body.password);
        return await reply.code(204).send(null);
      },
    );

    app.post(
      '/admin/users/:userId/ban',
      {
        config: config('admin.users.ban', 404, 409),
        schema: {
          summary: 'Refuse a user everywhere and cancel their jobs',
          description:
            'Every credential of the user gets 403 until the ban is lifted; none of them is revoked. Jobs are cancelled before the answer and stay so. The last active administrator cannot be banned: 409. For administrators.',
          tags,
          params: UserParams,
          body: Ban,
          response: done('Banned.'),
        },
      },
      async (request, reply) => {
        await accounts.ban(actorOf(request), request.params.userId, request.body.reason);
        return await reply.code(204).send(null);
      },
    );

    app.post(
      '/admin/users/:userId/unban',
      {
        config: config('admin.users.unban', 404),
        schema: {
          summary: 'Let a banned user in again',
          description:
            'Sessions, tokens and API keys from before the ban work again, unless they have expired. Jobs that the ban cancelled do not come back. For administrators.',
          tags,
          params: UserParams,
          response: done('No longer banned.'),
        },
      },
      async (request, reply) => {
        await accounts.unban(actorOf(request), request.params.userId);
        return await reply.code(204).send(null);
      },
    );

    app.post(
      '/admin/signing-keys/rotate',
      {
        config: config('admin.keys.rotate'),
        schema: {
          summary: 'Sign bearer tokens with a new key from now on',
          description:
            'The server does this by itself every `ATELIER_SIGNING_KEY_DAYS`. `GET /.well-known/jwks.json` shows the new key. For administrators.',
          tags,
          response: done('A new key signs; tokens of the old one stay good until they expire.'),
        },
      },
      async (request, reply) => {
        requireAdmin(actorOf(request));
        await keys.rotate();
        return await reply.code(204).send(null);
      },
    );
  };

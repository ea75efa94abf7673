import {
  Account,
  AccountPage,
  Balance,
  Ban,
  ChangeCredits,
  NewUser,
  Rescue,
  Rescued,
  SetPassword,
  SetRole,
  SetSubscription,
  Subscription,
  UserQuery,
} from '@atelier/contracts';
import { Type } from 'typebox';

import type { Audit } from '../platform/audit/audit.service.ts';
import { requireAdmin } from '../platform/http/actor.ts';
import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { AccountsService } from './accounts.service.ts';
import type { SigningKeys } from './credentials/signing-keys.ts';
import type { ExportAccount } from './export-account.ts';
import type { RescueAdministrator } from './rescue-administrator.ts';

interface Parts {
  readonly accounts: AccountsService;
  readonly keys: SigningKeys;
  readonly audit: Pick<Audit, 'add'>;
  readonly rescueAdministrator: RescueAdministrator;
  readonly exportAccount: ExportAccount;
}

const Archive = Type.Unsafe<unknown>({
  description: 'The archive.',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
});

/** The service asks for the role, because 404 comes before 403. */
export const adminRoutes: Routes<Parts> =
  ({ accounts, keys, audit, rescueAdministrator, exportAccount }) =>
  async (app) => {
    const parameters = { userId: 'Id of the user.' };
    const route = createRouteDefiner(app, { tag: 'administration', parameters });

    route('POST', '/admin/users', {
      operation: 'admin.users.create',
      failures: [409],
      summary: 'Create a user',
      description:
        'The account starts on the tier `free`, inactive and without credits, so its jobs do not run until it has an active subscription of another tier. Without a name, the part of the e-mail address before the `@` is used. For administrators.',
      body: NewUser,
      response: { 201: Account },
      handle: async ({ actor, body }) => await accounts.create(actor, body),
    });

    route('GET', '/admin/users', {
      operation: 'admin.users.list',
      summary: 'List users, or find some by e-mail or name',
      description: 'Oldest account first. For administrators.',
      query: UserQuery.properties,
      response: { 200: AccountPage },
      handle: async ({ actor, query }) => await accounts.list(actor, query),
    });

    route('GET', '/admin/users/:userId', {
      operation: 'admin.users.read',
      failures: [404],
      summary: 'One user',
      description: 'The same account that the user sees at `GET /customers/me`. For administrators.',
      response: { 200: Account },
      handle: async ({ actor, params }) => await accounts.read(actor, params.userId),
    });

    route('DELETE', '/admin/users/:userId', {
      operation: 'admin.users.delete',
      failures: [404, 409],
      summary: 'Delete a user and everything that is theirs',
      description:
        'Jobs and tasks are cancelled; files, history, keys, credits and reviews are deleted. Refused while the user is the only owner of a publisher with nodes, and for the last active administrator. For administrators.',
      response: done('Deleted.'),
      handle: async ({ actor, params }) => await accounts.delete(actor, params.userId),
    });

    route('GET', '/admin/users/:userId/export', {
      operation: 'admin.users.export',
      failures: [404],
      summary: 'Everything that is theirs, as a ZIP archive',
      description:
        'The account, its keys without their secrets, credits, settings, saved workflows, jobs with their workflows, tasks, deliveries, and all files. What changes meanwhile may be in it or not; files that are gone are listed in `missing-files.txt`. For administrators.',
      exposeHeadRoute: false,
      response: { 200: Archive },
      handle: async ({ actor, params, reply }) => {
        const archive = await exportAccount(actor, params.userId);
        return await reply
          .header('content-disposition', `attachment; filename="${params.userId}.zip"`)
          .type('application/zip')
          .send(archive);
      },
    });

    route('PUT', '/admin/users/:userId/subscription', {
      operation: 'admin.users.subscription',
      failures: [404],
      summary: "Set a user's subscription",
      description:
        'The tier decides how many jobs of the user run at once: `free` 0, `standard` 1, `creator` 3, `pro` 5, `team` 25. None run while the subscription is inactive or past `period_end`. For administrators.',
      body: SetSubscription,
      response: { 200: Subscription },
      handle: async ({ actor, params, body }) => await accounts.setSubscription(actor, params.userId, body),
    });

    route('POST', '/admin/users/:userId/credits', {
      operation: 'admin.users.credits',
      failures: [404, 409],
      summary: 'Grant credits, or take some away with a reason',
      description:
        "Answers with the new balance, which never falls below 0: taking away more gets 409. The user's ledger shows a `grant` or a `correction` with the reason. For administrators.",
      body: ChangeCredits,
      response: { 200: Balance },
      handle: async ({ actor, params, body }) => ({
        balance: await accounts.changeCredits(actor, params.userId, body),
      }),
    });

    route('PUT', '/admin/users/:userId/role', {
      operation: 'admin.users.role',
      failures: [404, 409],
      summary: 'Grant or revoke the administrator role',
      description: 'The last active administrator cannot give up the role: 409. For administrators.',
      body: SetRole,
      response: { 200: Account },
      handle: async ({ actor, params, body }) => await accounts.setRole(actor, params.userId, body.role),
    });

    route('PUT', '/admin/users/:userId/password', {
      operation: 'admin.users.password',
      failures: [404],
      summary: "Replace a user's password; ends their sessions and tokens",
      description: "Needs no old password. The user's API keys stay good. For administrators.",
      body: SetPassword,
      response: done('Replaced.'),
      handle: async ({ actor, params, body }) =>
        await accounts.resetPassword(actor, params.userId, body.password),
    });

    route('POST', '/admin/users/:userId/ban', {
      operation: 'admin.users.ban',
      failures: [404, 409],
      summary: 'Refuse a user everywhere and cancel their jobs',
      description:
        'Every credential of the user gets 403 until the ban is lifted; none of them is revoked. Jobs are cancelled before the answer and stay so. The last active administrator cannot be banned: 409. For administrators.',
      body: Ban,
      response: done('Banned.'),
      handle: async ({ actor, params, body }) => await accounts.ban(actor, params.userId, body.reason),
    });

    route('POST', '/admin/users/:userId/unban', {
      operation: 'admin.users.unban',
      failures: [404],
      summary: 'Let a banned user in again',
      description:
        'Sessions, tokens and API keys from before the ban work again, unless they have expired. Jobs that the ban cancelled do not come back. For administrators.',
      response: done('No longer banned.'),
      handle: async ({ actor, params }) => await accounts.unban(actor, params.userId),
    });

    route('POST', '/admin/rescue', {
      operation: 'admin.rescue',
      summary: 'Give an administrator access again',
      description:
        'What `npm run admin -- rescue-admin` calls. For operators only: administrators get 403. The account becomes an active administrator with a new password and a new API key; it is made where it is missing.',
      hide: true,
      body: Rescue,
      response: { 200: Rescued },
      handle: async ({ actor, body }) => await rescueAdministrator(actor, body.email),
    });

    route('POST', '/admin/signing-keys/rotate', {
      operation: 'admin.keys.rotate',
      summary: 'Sign bearer tokens with a new key from now on',
      description:
        'The server does this by itself every `ATELIER_SIGNING_KEY_DAYS`. `GET /.well-known/jwks.json` shows the new key. For administrators.',
      response: done('A new key signs; tokens of the old one stay good until they expire.'),
      handle: async ({ actor }) => {
        requireAdmin(actor);
        await keys.rotate(async (tx) => await audit.add(tx, actor, 'key.rotate', 'key:signing-keys'));
      },
    });
  };

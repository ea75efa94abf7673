import { Type } from 'typebox';

import { AppError } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App } from '../platform/http/route-config.ts';
import { CLOUD_DEFAULTS } from '../platform/http/route-defaults.ts';

/**
 * The caller, in the words of the host application. A frontend that gets one user with storage on the server does not ask for a name. Only
 * under `/api`: the bare `/users` is the registry's.
 */
export async function usersRoutes(app: App): Promise<void> {
  const route = createRouteDefiner(app, { ...CLOUD_DEFAULTS, tag: 'host' });
  route('GET', '/api/users', {
    operation: 'cloud.users.read',
    summary: 'Where settings and files of the caller are kept: here',
    description:
      'The answer is always the same and keeps the stock editor from asking for a user name. Administrators create accounts with `POST /admin/users`.',
    response: { 200: Type.Object({ storage: Type.Literal('server'), migrated: Type.Boolean() }) },
    handle: async () => ({ storage: 'server' as const, migrated: true }),
  });

  route('POST', '/api/users', {
    operation: 'cloud.users.create',
    // It never succeeds. The frontend shows the sentence.
    hide: true,
    body: Type.Object({ username: Type.String() }),
    response: {},
    handle: async () => {
      throw new AppError('auth.forbidden', 'Accounts are made by administrators, with POST /admin/users.');
    },
  });

  route('GET', '/api/user', {
    operation: 'cloud.user.read',
    summary: 'The caller',
    description:
      'The id of the account that the credential belongs to. `GET /customers/me` returns the account itself.',
    response: { 200: Type.Object({ id: Type.String(), status: Type.Literal('active') }) },
    handle: async ({ actor }) => ({ id: actor.userId, status: 'active' as const }),
  });
}

import { Type } from 'typebox';

import { AppError } from '../platform/errors/app-error.ts';
import { actorOf } from '../platform/http/actor.ts';
import type { App } from '../platform/http/route-config.ts';
import { hostRoute } from './doors.ts';

const tags = ['host'];

/**
 * Who the caller is, in the words of the host application. A frontend that is told of one user with its storage on the
 * server asks for no name. Only under `/api`: the bare `/users` is the registry's.
 */
export async function usersRoutes(app: App): Promise<void> {
  app.get(
    '/api/users',
    {
      config: hostRoute('cloud.users.read'),
      schema: {
        summary: 'Where settings and files of the caller are kept: here',
        description:
          'The answer is always the same and keeps the stock editor from asking for a user name. ' +
          'Administrators create accounts with `POST /admin/users`.',
        tags,
        response: { 200: Type.Object({ storage: Type.Literal('server'), migrated: Type.Boolean() }) },
      },
    },
    () => ({ storage: 'server' as const, migrated: true }),
  );

  app.post(
    '/api/users',
    {
      config: hostRoute('cloud.users.create'),
      // It never succeeds, so there is nothing to describe. The frontend shows the sentence.
      schema: { hide: true, body: Type.Object({ username: Type.String() }) },
    },
    () => {
      throw new AppError('auth.forbidden', 'Accounts are made by administrators, with POST /admin/users.');
    },
  );

  app.get(
    '/api/user',
    {
      config: hostRoute('cloud.user.read'),
      schema: {
        summary: 'The caller',
        description:
          'The id of the account that the credential belongs to. `GET /customers/me` returns the account itself.',
        tags,
        response: { 200: Type.Object({ id: Type.String(), status: Type.Literal('active') }) },
      },
    },
    (request) => ({ id: actorOf(request).userId, status: 'active' as const }),
  );
}

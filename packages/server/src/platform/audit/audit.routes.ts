import { AuditLog } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner } from '../http/define-route.ts';
import type { Routes } from '../http/route-config.ts';
import type { Audit } from './audit.service.ts';

interface Parts {
  readonly audit: Pick<Audit, 'list'>;
  readonly findPeople: Parameters<Audit['list']>[2];
}

export const auditRoutes: Routes<Parts> =
  ({ audit, findPeople }) =>
  async (app) => {
    createRouteDefiner(app, { tag: 'administration' })('GET', '/admin/audit', {
      operation: 'admin.audit',
      summary: 'Who did what to users and in the registry, newest first',
      description:
        'What administrators and operators did to users, their jobs and the keys of the server; and in the registry creations, changes, publications, checks, bans, decisions and deletions. Entries stay when a user is deleted; they name people by id. The e-mail addresses are those of users who are still here. For administrators.',
      query: {
        subject: text('Such as `user:<id>` or `publisher:x/node:y`; includes what is below.', 500),
        actor: text(
          'Only entries by this author: `user:<id>`, `operator:<name>`, `token:<id>` or `server`.',
          200,
        ),
        action: text('Only entries of this kind, such as `user.ban`.', 100),
        before: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The `next_before` of the page before.',
          }),
        ),
        limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Entries on a page.' }),
      },
      response: { 200: AuditLog },
      handle: async ({ actor, query }) => await audit.list(actor, query, findPeople),
    });
  };

function text(description: string, maxLength: number) {
  return Type.Optional(Type.String({ maxLength, description }));
}

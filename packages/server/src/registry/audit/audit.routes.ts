import { AuditLog } from '@atelier/contracts';
import { Type } from 'typebox';

import type { Routes } from '../../platform/http/route-config.ts';
import { optionalText, registryRoutes } from '../route-parts.ts';
import type { Audit } from './audit.service.ts';

export const auditRoutes: Routes<{ audit: Audit }> =
  ({ audit }) =>
  async (app) => {
    registryRoutes(app)('GET', '/admin/audit', {
      operation: 'admin.audit',
      summary: 'Who did what in the registry, newest first',
      description:
        'Creations, changes, publications, checks, bans, decisions and deletions, with their author. For administrators.',
      tag: 'administration',
      query: {
        subject: optionalText('Such as `publisher:x/node:y`; includes what is below.', 500),
        actor: optionalText('Only entries by this author: `user:<id>`, `token:<id>` or `server`.', 200),
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
      handle: async ({ actor, query }) => await audit.list(actor, query),
    });
  };

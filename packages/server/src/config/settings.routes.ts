import { ServerSettings } from '@atelier/contracts';

import { requireAdmin } from '../platform/http/actor.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';

/** The settings as the server sees them. */
export const settingsRoutes: Routes<ServerSettings> =
  ({ settings }) =>
  async (app) => {
    createRouteDefiner(app, { tag: 'administration' })('GET', '/admin/settings', {
      operation: 'admin.settings',
      summary: 'The settings as the server sees them',
      description:
        'For administrators; other users get 403. Of secrets it is only said whether they are set. They are changed in the environment of the server.',
      response: { 200: ServerSettings },
      handle: async ({ actor }) => {
        requireAdmin(actor);
        return { settings };
      },
    });
  };

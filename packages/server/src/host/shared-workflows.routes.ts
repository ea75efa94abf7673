import { SharedWorkflow, WorkflowShare } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { CLOUD_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';
import type { WorkflowSharesService } from './workflow-shares.service.ts';

/** Saved workflows that others on this server may read. */
export const sharedWorkflowsRoutes: Routes<{ readonly shares: WorkflowSharesService }> =
  ({ shares }) =>
  async (app) => {
    const route = createRouteDefiner(app, {
      ...CLOUD_DEFAULTS,
      tag: 'workflows',
      parameters: {
        id: 'The path in `workflows/` in one part, its slashes written as %2F.',
        shareId: 'The `share_id` that its owner got.',
      },
    });

    route('POST', '/api/workflows/:id/share', {
      operation: 'cloud.workflows.share',
      failures: [404],
      summary: 'Let others on this server read a saved workflow',
      description:
        'Everybody who is signed in and has the `share_id` can read what the workflow is at the time. A workflow that is shared already keeps its `share_id`.',
      response: { 200: WorkflowShare },
      handle: async ({ actor: { userId }, params }) => ({ share_id: await shares.share(userId, params.id) }),
    });

    route('DELETE', '/api/workflows/:id/share', {
      operation: 'cloud.workflows.unshare',
      failures: [404],
      summary: 'End the sharing of a saved workflow',
      description: 'Its `share_id` is not good any more, at once. Sharing it again makes a new one.',
      response: done('It is shared no longer.'),
      handle: async ({ actor: { userId }, params }) => {
        await shares.unshare(userId, params.id);
      },
    });

    route('GET', '/api/shared-workflows/:shareId', {
      operation: 'cloud.workflows.shared',
      failures: [404],
      summary: 'A workflow that somebody shares',
      description: 'An id that is unknown, or of a workflow that is shared no longer, gets 404.',
      response: { 200: Type.Unsafe<string>(SharedWorkflow) },
      handle: async ({ params, reply }) => await sendJson(reply, await shares.read(params.shareId)),
    });
  };

import { SharedWorkflow, WorkflowShare } from '@atelier/contracts';
import { Type } from 'typebox';

import { type Clock, toIso } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { notFound } from '../platform/errors/app-error.ts';
import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import { CLOUD } from '../platform/http/doors.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { randomToken } from '../platform/ids.ts';
import type { UserDataService } from './user-data.service.ts';
import { deleteShare, findShare, insertShare } from './workflow-shares.repo.ts';
import { asWorkflow, FOLDER, nameOf, readObject } from './workflows.service.ts';

export interface SharedWorkflowsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly userData: UserDataService;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Enough that nobody guesses one. */
const ID_BYTES = 24;

/** Saved workflows that others on this server may read. */
export const sharedWorkflowsRoutes: Routes<SharedWorkflowsParts> =
  ({ db, clock, userData, findPeople }) =>
  async (app) => {
    const route = createRouteDefiner(app, {
      ...CLOUD,
      tag: 'workflows',
      parameters: {
        id: 'The path in `workflows/` in one part, its slashes written as %2F.',
        shareId: 'The `share_id` that its owner got.',
      },
    });
    const find = async (userId: string, id: string) =>
      await userData.read(userId, `${FOLDER}/${id}`).catch(asWorkflow(id));

    route('POST', '/api/workflows/:id/share', {
      operation: 'cloud.workflows.share',
      failures: [404],
      summary: 'Let others on this server read a saved workflow',
      description:
        'Everybody who is signed in and has the `share_id` can read what the workflow is at the time. A workflow that is shared already keeps its `share_id`.',
      response: { 200: WorkflowShare },
      handle: async ({ actor: { userId }, params }) => {
        const { path } = await find(userId, params.id);
        const share = { id: randomToken(ID_BYTES), user_id: userId, path, created_at: clock() };
        return { share_id: await insertShare(db, share) };
      },
    });

    route('DELETE', '/api/workflows/:id/share', {
      operation: 'cloud.workflows.unshare',
      failures: [404],
      summary: 'End the sharing of a saved workflow',
      description: 'Its `share_id` is not good any more, at once. Sharing it again makes a new one.',
      response: done('It is shared no longer.'),
      handle: async ({ actor: { userId }, params }) => {
        const { path } = await find(userId, params.id);
        await deleteShare(db, userId, path);
      },
    });

    route('GET', '/api/shared-workflows/:shareId', {
      operation: 'cloud.workflows.shared',
      failures: [404],
      summary: 'A workflow that somebody shares',
      description: 'An id that is unknown, or of a workflow that is shared no longer, gets 404.',
      response: { 200: Type.Unsafe<string>(SharedWorkflow) },
      handle: async ({ params: { shareId }, reply }) => {
        const share = await findShare(db, shareId);
        if (!share) throw notFound('workflow', shareId);
        const { path, content, modified_at: at } = await userData.read(share.user_id, share.path);
        const text = Buffer.from(content).toString('utf8');
        if (readObject(text) === undefined) throw notFound('workflow', shareId);
        const [owner] = await findPeople([share.user_id]);
        const about = {
          name: nameOf(path.slice(FOLDER.length + 1)),
          owner_name: owner?.name ?? '',
          updated_at: toIso(at),
        };
        return await sendJson(reply, `${JSON.stringify(about).slice(0, -1)},"workflow_json":${text}}`);
      },
    });
  };

import { History, HistoryChange, HistoryDetail, HistoryList, oneOf, optional } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { CLOUD_DEFAULTS, HOST_DEFAULTS } from '../../platform/http/route-defaults.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { type HistoryService, MAX_HISTORY_ITEMS } from './history.service.ts';
import { acceptHostBodies, emptyAnswer } from './host-bodies.ts';
import { AnyJobId, rendered } from './jobs.routes.ts';

const routeDefaults = { tag: 'workflows', parameters: { prompt_id: AnyJobId } };

const map_function = oneOf(['outputs', 'status'], {
  description: 'Put this part of each entry in its place.',
});
const maxItems = (which: string) =>
  Type.Integer({ minimum: 0, description: `${which} At most ${MAX_HISTORY_ITEMS} are sent.` });

/** Ended jobs, as clients of ComfyUI and older clients of the public cloud read them. */
export const historyRoutes: Routes<{ readonly history: HistoryService }> =
  ({ history }) =>
  async (app) => {
    await app.register(async (inner) => {
      acceptHostBodies(inner);
      addHistory(inner, history);
    });

    const route = createRouteDefiner(app, { ...CLOUD_DEFAULTS, ...routeDefaults });
    route('GET', '/api/history_v2', {
      operation: 'cloud.history2.list',
      summary: 'Your jobs that have ended, newest first, without their workflows',
      description:
        'Hidden jobs (`POST /api/history`) are left out. `GET /api/history_v2/{prompt_id}` returns one job with its workflow. `GET /api/jobs` also lists jobs that wait or run.',
      query: optional({
        max_items: maxItems('100 when absent.'),
        offset: Type.Integer({
          default: 0,
          minimum: 0,
          description: 'How many of the newest jobs to skip.',
        }),
      }),
      response: { 200: rendered(HistoryList) },
      handle: async ({ actor, query: { max_items: max = 100, offset = 0 }, reply }) => {
        const page = { max: Math.min(max, MAX_HISTORY_ITEMS), offset };
        return await sendJson(reply, history.listNewest(actor.userId, page));
      },
    });

    route('GET', '/api/history_v2/:prompt_id', {
      operation: 'cloud.history2.read',
      failures: [404],
      summary: 'One job that has ended; an empty object while it waits or runs',
      description:
        'The id is the only key of the answer; its value has the workflow, outputs, status and messages. An id that is unknown, hidden or not yours gets 404.',
      response: { 200: rendered(HistoryDetail) },
      handle: async ({ actor, params, reply }) =>
        await sendJson(reply, await history.detail(actor.userId, params.prompt_id)),
    });
  };

function addHistory(app: App, history: HistoryService): void {
  const route = createRouteDefiner(app, { ...HOST_DEFAULTS, ...routeDefaults });
  route('GET', '/history', {
    operation: 'history.list',
    summary: 'Your jobs that have ended by their ids, oldest first',
    description:
      'Only the newest 10,000 jobs are listed; hidden ones (`POST /history`) are left out. For page-by-page lists with filters, use `GET /api/jobs`.',
    query: optional({
      max_items: maxItems('The last ones.'),
      offset: Type.Integer({ description: 'Begin with this one, from the oldest; below 0 as if absent.' }),
      map_function,
    }),
    response: { 200: rendered(History) },
    handle: async ({ actor, query: { max_items: max, offset = -1, map_function: part }, reply }) => {
      const window = present({ max, offset: offset >= 0 ? offset : undefined, part });
      return await sendJson(reply, history.list(actor.userId, window));
    },
  });

  route('GET', '/history/:prompt_id', {
    operation: 'history.read',
    summary: 'One job that has ended; an empty object when there is none',
    description:
      'The id is the only key of the answer. A job that still waits or runs, is hidden, is unknown or is not yours gives the empty object, never 404.',
    query: optional({ map_function }),
    response: { 200: rendered(History) },
    handle: async ({ actor, params, query, reply }) =>
      await sendJson(reply, await history.read(actor.userId, params.prompt_id, query.map_function)),
  });

  route('POST', '/history', {
    operation: 'history.change',
    preValidation: withoutNulls,
    summary: 'Take jobs that have ended out of the history: those named, or all',
    description:
      '`delete` takes at most 1000 ids; jobs that have not ended are skipped. Hidden jobs are also left out of `GET /api/jobs`, but `GET /api/jobs/{job_id}` returns them until retention (`ATELIER_OUTPUT_DAYS`) removes them.',
    body: HistoryChange,
    response: emptyAnswer('Done.'),
    handle: async ({ actor, body: { clear = false, delete: ids = [] }, reply }) => {
      await history.hide(actor.userId, { clear, ids });
      return await reply.send(undefined);
    },
  });
}

import { History, HistoryChange, HistoryDetail, HistoryList } from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { type HistoryService, MAX_HISTORY_ITEMS } from './history.service.ts';
import { acceptHostBodies, emptyAnswer, TWINS } from './host-bodies.ts';
import { rendered } from './jobs.routes.ts';

const tags = ['workflows'];
const JobParams = Type.Object({
  prompt_id: Type.String({ description: 'Id of the job. A string that is not a UUID counts as unknown.' }),
});
const access = { access: 'user', session: true } as const;

const map_function = Type.Optional(
  Type.Enum(['outputs', 'status'], {
    type: 'string',
    description: 'Put this part of each entry in its place.',
  }),
);
const maxItems = (which: string) =>
  Type.Integer({ minimum: 0, description: `${which} At most ${MAX_HISTORY_ITEMS} are sent.` });

/** Jobs that have ended, as the host application and older clients of the public cloud read them. */
export const historyRoutes: Routes<{ readonly history: HistoryService }> =
  ({ history }) =>
  async (app) => {
    await app.register(async (inner) => {
      acceptHostBodies(inner);
      for (const twin of TWINS) addHistory(inner, history, twin);
    });

    app.get(
      '/api/history_v2',
      {
        config: { operation: 'cloud.history2.list', ...access },
        schema: {
          summary: 'Your jobs that have ended, newest first, without their workflows',
          description:
            'Hidden jobs (`POST /api/history`) are left out. `GET /api/history_v2/{prompt_id}` returns one ' +
            'job with its workflow. `GET /api/jobs` also lists jobs that wait or run.',
          tags,
          querystring: Type.Object({
            max_items: Type.Optional(maxItems('100 when absent.')),
            offset: Type.Optional(
              Type.Integer({ default: 0, minimum: 0, description: 'How many of the newest jobs to skip.' }),
            ),
          }),
          response: { 200: rendered(HistoryList) },
        },
      },
      async (request, reply) => {
        const { max_items: most = 100, offset = 0 } = request.query;
        const page = { max: Math.min(most, MAX_HISTORY_ITEMS), offset };
        return await sendJson(reply, history.listNewest(actorOf(request).userId, page));
      },
    );

    app.get(
      '/api/history_v2/:prompt_id',
      {
        config: { operation: 'cloud.history2.read', ...access, failures: [404] },
        schema: {
          summary: 'One job that has ended; an empty object while it waits or runs',
          description:
            'The id is the only key of the answer; its value has the workflow, outputs, status and ' +
            'messages. An id that is unknown, hidden or not yours gets 404.',
          tags,
          params: JobParams,
          response: { 200: rendered(HistoryDetail) },
        },
      },
      async (request, reply) =>
        await sendJson(reply, await history.detail(actorOf(request).userId, request.params.prompt_id)),
    );
  };

function addHistory(
  app: App,
  history: HistoryService,
  { prefix, name, shape }: (typeof TWINS)[number],
): void {
  app.get(
    `${prefix}/history`,
    {
      config: { operation: `${name}.history.list`, ...access, ...shape },
      schema: {
        summary: 'Your jobs that have ended by their ids, oldest first',
        description:
          'Only the newest 10,000 jobs are listed; hidden ones (`POST /history`) are left out. For ' +
          'page-by-page lists with filters, use `GET /api/jobs`.',
        tags,
        querystring: Type.Object({
          max_items: Type.Optional(maxItems('The last ones.')),
          offset: Type.Optional(
            Type.Integer({ description: 'Begin with this one, from the oldest; below 0 as if absent.' }),
          ),
          map_function,
        }),
        response: { 200: rendered(History) },
      },
    },
    async (request, reply) => {
      const { max_items: max, offset = -1, map_function: part } = request.query;
      const window = {
        ...(max !== undefined && { max }),
        ...(offset >= 0 && { offset }),
        ...(part !== undefined && { part }),
      };
      return await sendJson(reply, history.list(actorOf(request).userId, window));
    },
  );

  app.get(
    `${prefix}/history/:prompt_id`,
    {
      config: { operation: `${name}.history.read`, ...access, ...shape },
      schema: {
        summary: 'One job that has ended; an empty object when there is none',
        description:
          'The id is the only key of the answer. A job that still waits or runs, is hidden, is unknown or ' +
          'is not yours gives the empty object, never 404.',
        tags,
        params: JobParams,
        querystring: Type.Object({ map_function }),
        response: { 200: rendered(History) },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const entry = await history.read(actorOf(request).userId, params.prompt_id, query.map_function);
      return await sendJson(reply, entry);
    },
  );

  app.post(
    `${prefix}/history`,
    {
      config: { operation: `${name}.history.change`, ...access, ...shape },
      preValidation: withoutNulls,
      schema: {
        summary: 'Take jobs that have ended out of the history: those named, or all',
        description:
          '`delete` takes at most 1000 ids; jobs that have not ended are skipped. Hidden jobs are also ' +
          'left out of `GET /api/jobs`, but `GET /api/jobs/{job_id}` returns them until retention ' +
          '(`ATELIER_OUTPUT_DAYS`) removes them.',
        tags,
        body: HistoryChange,
        response: emptyAnswer('Done.'),
      },
    },
    async (request, reply) => {
      const { clear = false, delete: ids = [] } = request.body;
      await history.hide(actorOf(request).userId, { clear, ids });
      return await reply.send(undefined);
    },
  );
}

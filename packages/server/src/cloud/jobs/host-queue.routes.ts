import { FreeMemory, Queue, QueueChange, QueueChanged, QueueRemaining } from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { acceptHostBodies, bodyOrEmpty, emptyAnswer, objectOrEmpty, TWINS } from './host-bodies.ts';
import type { HostQueueService } from './host-queue.service.ts';
import { rendered } from './jobs.routes.ts';

const tags = ['workflows'];

export const hostQueueRoutes: Routes<{ readonly queue: HostQueueService }> =
  ({ queue }) =>
  async (app) => {
    await app.register(async (inner) => {
      acceptHostBodies(inner);
      for (const twin of TWINS) addRoutes(inner, queue, twin);
    });
  };

function addRoutes(app: App, queue: HostQueueService, { prefix, name, shape }: (typeof TWINS)[number]): void {
  const access = { access: 'user', session: true } as const;

  app.get(
    `${prefix}/prompt`,
    {
      config: { operation: `${name}.prompt.remaining`, ...access },
      schema: {
        summary: 'How many of your jobs have not ended',
        description:
          'Counts jobs that wait and jobs that run. `GET /queue` lists them, and `GET /api/usage` counts ' +
          'them separately.',
        tags,
        response: { 200: QueueRemaining },
      },
    },
    async (request) => ({
      exec_info: { queue_remaining: await queue.remaining(actorOf(request).userId) },
    }),
  );

  app.get(
    `${prefix}/queue`,
    {
      config: { operation: `${name}.queue.read`, ...access, ...shape },
      schema: {
        summary: 'Your jobs that run and that wait',
        description:
          'Both lists are in order of arrival, and both are empty when nothing waits or runs. An item is ' +
          '`[number, prompt_id, prompt, extra_data, outputs_to_execute]`.',
        tags,
        response: { 200: rendered(Queue) },
      },
    },
    async (request, reply) => await sendJson(reply, queue.read(actorOf(request).userId)),
  );

  app.post(
    `${prefix}/queue`,
    {
      config: { operation: `${name}.queue.change`, ...access, ...shape },
      preValidation: withoutNulls,
      schema: {
        summary: 'Cancel jobs: those named, or all that wait',
        description:
          '`delete` takes at most 1000 ids; those that are unknown, ended or not yours are skipped. ' +
          '`deleted` lists the jobs that it cancelled. `clear` leaves running jobs alone; ' +
          '`POST /interrupt` stops those.',
        tags,
        body: QueueChange,
        response: { 200: QueueChanged },
      },
    },
    async (request) => {
      const { clear = false, delete: ids = [] } = request.body;
      return await queue.change(actorOf(request).userId, { clear, ids });
    },
  );

  app.post(
    `${prefix}/interrupt`,
    {
      config: { operation: `${name}.interrupt`, lenientBody: true, ...access, ...shape },
      preValidation: objectOrEmpty,
      schema: {
        summary: 'Cancel the named job if it runs, or without a name everything of yours that runs',
        description:
          'A `prompt_id` that is null or empty counts as absent. One that is not running, is not yours or ' +
          'is not a string cancels nothing. To cancel a job that may still be waiting, use ' +
          '`POST /api/jobs/{job_id}/cancel`.',
        tags,
        body: Type.Object(
          { prompt_id: Type.Optional(Type.Unknown({ description: 'The id of the job.' })) },
          { description: 'What is not JSON object counts as an empty one.' },
        ),
        response: emptyAnswer('Done, also when there was nothing to cancel.'),
      },
    },
    async (request, reply) => {
      await queue.interrupt(actorOf(request).userId, namedJob(request.body.prompt_id));
      return await reply.send(undefined);
    },
  );

  app.post(
    `${prefix}/free`,
    {
      config: { operation: `${name}.free`, ...access, ...shape },
      preValidation: [withoutNulls, bodyOrEmpty],
      schema: {
        summary: 'Forget what is kept from your jobs to make the next ones faster',
        description:
          'With `free_memory`, your next job is computed from scratch instead of reusing earlier results. ' +
          '`unload_models` has no effect, because there are no models.',
        tags,
        body: FreeMemory,
        response: emptyAnswer('Done.'),
      },
    },
    async (request, reply) => {
      const { unload_models: unloadModels = false, free_memory: freeMemory = false } = request.body;
      await queue.free(actorOf(request).userId, { unloadModels, freeMemory });
      return await reply.send(undefined);
    },
  );
}

/** A name that is not text names no job; it never stands for all of them. */
function namedJob(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  return typeof id === 'string' ? id : 'none';
}

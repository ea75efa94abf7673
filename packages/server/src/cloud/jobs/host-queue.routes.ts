import { FreeMemory, Queue, QueueChange, QueueChanged, QueueRemaining } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../../platform/http/route-defaults.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { acceptHostBodies, bodyOrEmpty, emptyAnswer, objectOrEmpty } from './host-bodies.ts';
import type { HostQueueService } from './host-queue.service.ts';
import { rendered } from './jobs.routes.ts';

export const hostQueueRoutes: Routes<{ readonly queue: HostQueueService }> =
  ({ queue }) =>
  async (app) => {
    await app.register(async (inner) => {
      acceptHostBodies(inner);
      addRoutes(inner, queue);
    });
  };

function addRoutes(app: App, queue: HostQueueService): void {
  const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'workflows' });
  route('GET', '/prompt', {
    operation: 'prompt.remaining',
    errorShape: 'prompt',
    summary: 'How many of your jobs have not ended',
    description:
      'Counts jobs that wait and jobs that run. `GET /queue` lists them, and `GET /api/usage` counts them separately.',
    response: { 200: QueueRemaining },
    handle: async ({ actor }) => ({ exec_info: { queue_remaining: await queue.remaining(actor.userId) } }),
  });

  route('GET', '/queue', {
    operation: 'queue.read',
    summary: 'Your jobs that run and that wait',
    description:
      'Both lists are in order of arrival, and both are empty when nothing waits or runs. An item is `[number, prompt_id, prompt, extra_data, outputs_to_execute]`.',
    response: { 200: rendered(Queue) },
    handle: async ({ actor, reply }) => await sendJson(reply, await queue.read(actor.userId)),
  });

  route('POST', '/queue', {
    operation: 'queue.change',
    preValidation: withoutNulls,
    summary: 'Cancel jobs: those named, or all that wait',
    description:
      '`delete` takes at most 1000 ids; those that are unknown, ended or not yours are skipped. `deleted` lists the jobs that it cancelled. `clear` leaves running jobs alone; `POST /interrupt` stops those.',
    body: QueueChange,
    response: { 200: QueueChanged },
    handle: async ({ actor, body: { clear = false, delete: ids = [] } }) =>
      await queue.change(actor.userId, { clear, ids }),
  });

  route('POST', '/interrupt', {
    operation: 'interrupt',
    lenientBody: true,
    preValidation: objectOrEmpty,
    summary: 'Cancel the named job if it runs, or without a name everything of yours that runs',
    description:
      'A `prompt_id` that is null or empty counts as absent. One that is not running, is not yours or is not a string cancels nothing. To cancel a job that may still be waiting, use `POST /api/jobs/{job_id}/cancel`.',
    body: Type.Object(
      { prompt_id: Type.Optional(Type.Unknown({ description: 'The id of the job.' })) },
      { description: 'What is not JSON object counts as an empty one.' },
    ),
    response: emptyAnswer('Done, also when there was nothing to cancel.'),
    handle: async ({ actor, body, reply }) => {
      await queue.interrupt(actor.userId, namedJob(body.prompt_id));
      return await reply.send(undefined);
    },
  });

  route('POST', '/free', {
    operation: 'free',
    preValidation: [withoutNulls, bodyOrEmpty],
    summary: 'Forget what is kept from your jobs to make the next ones faster',
    description:
      'With `free_memory`, your next job is computed from scratch instead of reusing earlier results. `unload_models` has no effect, because there are no models.',
    body: FreeMemory,
    response: emptyAnswer('Done.'),
    handle: async ({ actor, body, reply }) => {
      await queue.free(actor.userId, { freeMemory: body.free_memory ?? false });
      return await reply.send(undefined);
    },
  });
}

/** An id that is not a string matches no job, and never all of them. */
function namedJob(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined;
  return typeof id === 'string' ? id : 'none';
}

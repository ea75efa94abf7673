import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { notFound } from '../../platform/errors/app-error.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { Events } from '../events/create-events.ts';
import { holdStream } from '../events/hold-stream.ts';
import type { ProgressElsewhere } from './elsewhere-progress.ts';
import { createJobStream } from './job-stream.ts';
import { v2Defaults } from './jobs.routes.ts';
import type { V2JobsService } from './jobs.service.ts';

interface Parts {
  readonly jobs: Pick<V2JobsService, 'look'>;
  readonly streaming: Events['streaming'];
  readonly progressElsewhere: Pick<ProgressElsewhere, 'reader'>;
}

export const v2EventsRoutes: Routes<Parts> = (parts) => async (app) => {
  createRouteDefiner(app, v2Defaults)('GET', '/api/v2/jobs/:id/events', {
    operation: 'v2.jobs.events',
    exposeHeadRoute: false,
    failures: [404, 429],
    summary: 'What happens to a job, as Server-Sent Events',
    description:
      'Frames are `status`, `progress`, `preview`, `output` and `error`, each with a JSON object. The first is a `status`; the last is the `status` of a job that has ended, after all of its outputs. There are no ids: a new connection begins with how the job stands, on any server. A comment comes at least every 16 seconds. Beyond `ATELIER_STREAMS_PER_USER` open streams the answer is 429 `too_many_streams`.',
    response: {
      200: Type.Unsafe<unknown>({
        description: 'The stream ends with the job.',
        content: {
          'text/event-stream': {
            schema: {
              type: 'string',
              example: 'event: status\ndata: {"status":"succeeded","queue_position":null}\n\n',
            },
          },
        },
      }),
    },
    handle: async ({ actor, params, request, reply }) =>
      await streamJob(parts, request, reply, { userId: actor.userId, jobId: params.id }),
  });
};

async function streamJob(
  { jobs, streaming, progressElsewhere }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, jobId }: { readonly userId: string; readonly jobId: string },
): Promise<void> {
  const known = new Set<string>();
  const look = async () => await jobs.look(userId, jobId, known);
  const stream = createJobStream({
    jobId,
    live: streaming.live,
    look,
    progressReader: async () => await progressElsewhere.reader(userId, jobId),
    onError: streaming.onError,
  });
  const begin = holdStream(streaming, request, reply, { ...stream, userId, onClose: stream.stop });
  const job = await look();
  if (!job) throw notFound('job', jobId);
  stream.open(begin(), job);
}

import { optional } from '@atelier/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { notFound } from '../../platform/errors/app-error.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { hasEnded } from '../jobs/job-states.ts';
import { type EventStream, hasAll, openEventStream } from './event-stream.ts';
import { holdStream, type StreamParts } from './hold-stream.ts';
import type { JobRecord, LiveJobs } from './live-jobs.ts';
import { isEnding, isEndMarker } from './messages.ts';
import type { UserEvent } from './user-event.ts';

export interface JobEventsParts extends StreamParts {
  readonly live: LiveJobs;
  /** `undefined` when the user has no such job. */
  readonly keptEventsOf: (userId: string, jobId: string) => Promise<JobRecord | undefined>;
  readonly onError: (error: unknown) => void;
}

export const jobEventsRoutes: Routes<JobEventsParts> = (parts) => async (app) => {
  const route = createRouteDefiner(app, { tag: 'workflows', parameters: { id: 'Id of the job.' } });
  route('GET', '/api/jobs/:id/events', {
    operation: 'cloud.jobs.events',
    exposeHeadRoute: false,
    tokenInQuery: true,
    failures: [404, 429],
    summary: 'What happens to a job, as Server-Sent Events',
    description:
      'Starts with the messages kept so far, then sends new ones. To resume, send the last `id` you got as `Last-Event-ID`. An account may have `ATELIER_STREAMS_PER_USER` event streams and WebSockets open; beyond that the answer is 429.',
    query: optional({
      last_event_id: Type.String({ description: 'For clients that cannot set the `Last-Event-ID` header.' }),
      previews: Type.Boolean({
        description:
          'Also `preview`, pictures of work under way, and `picture`, those of `SaveImageWebsocket`: the metadata of the WebSocket and the picture in base64 as `image`. They have no `id`, and a slow reader gets fewer previews.',
      }),
      token: Type.String({
        description: 'API key or token, for clients that cannot set a header, such as `EventSource`.',
      }),
    }),
    response: {
      200: Type.Unsafe<unknown>({
        description:
          'The messages of the WebSocket about this job: `event` is the type, `data` the data. What is kept has an `id`. The stream ends with the job.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      }),
      204: Type.Unsafe<unknown>({
        description: 'The job has ended and all of it was sent: there is nothing to connect for.',
        type: 'null',
      }),
    },
    handle: async ({ actor, params, query, request, reply }) => {
      const header = request.headers['last-event-id'];
      const lastId = typeof header === 'string' ? header : query.last_event_id;
      await streamJob(parts, request, reply, {
        userId: actor.userId,
        jobId: params.id,
        lastId,
        wantsPictures: query.previews === true,
      });
    },
  });
};

interface Watched {
  readonly userId: string;
  readonly jobId: string;
  readonly lastId: string | undefined;
  readonly wantsPictures: boolean;
}

async function streamJob(
  parts: JobEventsParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, jobId, lastId, wantsPictures }: Watched,
): Promise<void> {
  const { live, onError } = parts;
  const readJob = async () => await parts.keptEventsOf(userId, jobId);
  let stream: EventStream | undefined;
  let endedMeanwhile = false;
  /** Whether the last message sent was the end of the job. */
  let hasEnding = false;

  /** For a job that does not run here, only its row is proof that it is over. */
  async function lookForEnd(): Promise<void> {
    const job = await readJob();
    if (job && !hasEnded(job)) return;
    stream?.replay(job?.events ?? []);
    stream?.finish();
  }

  function hear(event: UserEvent): void {
    if (event.jobId !== jobId || event.kind === 'text') return;
    if (event.kind !== 'message') {
      const isWanted = wantsPictures && !(event.kind === 'preview' && event.layout === 'plain');
      if (isWanted) stream?.push(event);
      return;
    }
    if (!stream) {
      endedMeanwhile ||= isEndMarker(event);
      return;
    }
    const runsHere = live.get(jobId) !== undefined;
    if (isEndMarker(event)) {
      if (hasEnding) stream.finish();
      else lookForEnd().catch(onError);
      return;
    }
    // The first events of a job that runs elsewhere may be missing; its row has all of them, in order, once it has ended. When a
    // worker moves here with its job, all events are sent again.
    const isNext = event.id === undefined || stream.isNext(event.id);
    if (isNext) stream.push(event);
    if (event.id !== undefined) hasEnding = isNext && isEnding(event.type);
    if (isEnding(event.type) && !runsHere) lookForEnd().catch(onError);
  }

  const begin = holdStream(parts, request, reply, {
    userId,
    hear,
    beat() {
      stream?.beat();
      if (stream && !live.get(jobId)) lookForEnd().catch(onError);
    },
  });
  let job = await readJob();
  if (endedMeanwhile) job = await readJob();
  if (!job) throw notFound('job', jobId);
  if (hasEnded(job) && hasAll(job.events, lastId)) {
    await reply.code(204).send();
    return;
  }

  stream = openEventStream({ raw: begin(), jobId, lastId });
  const running = live.get(jobId);
  if (hasEnded(job) || !running) stream.replay(job.events);
  if (hasEnded(job)) stream.finish();
  else if (running) {
    stream.replay(running.kept());
    for (const event of running.present()) if (event.replaceable) stream.push(event);
  }
}

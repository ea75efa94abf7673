import { optional } from '@atelier/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { Bus } from '../../platform/bus/bus.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { hasEnded } from '../jobs/job-states.ts';
import { type Connections, tooManyStreams } from './connections.ts';
import { type EventStream, hasAll, openEventStream } from './event-stream.ts';
import type { JobRecord, LiveJobs } from './live-jobs.ts';
import { isEnding, isEndMarker } from './messages.ts';
import type { UserEvent } from './user-event.ts';

export interface JobEventsParts {
  readonly bus: Bus<UserEvent>;
  readonly live: LiveJobs;
  readonly connections: Connections;
  /** `undefined` when the user has no such job. */
  readonly keptEventsOf: (userId: string, jobId: string) => Promise<JobRecord | undefined>;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly commentMs: number;
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
  const { bus, live, connections, onError } = parts;
  const { raw } = reply;
  const readJob = async () => await parts.keptEventsOf(userId, jobId);
  let stream: EventStream | undefined;
  let endedMeanwhile = false;
  /** The last thing that was sent may be the end. */
  let hasEnding = false;

  /** For a job that does not run here, only its row says surely that it is over. */
  async function lookForEnd(): Promise<void> {
    const job = await readJob();
    if (job && !hasEnded(job)) return;
    stream?.replay(job?.events ?? []);
    stream?.finish();
  }

  const leave = connections.add({
    userId,
    kind: 'event_stream',
    beatMs: parts.commentMs,
    beat() {
      stream?.beat();
      if (stream && !live.get(jobId)) lookForEnd().catch(onError);
    },
    check: async () => await parts.authenticate(request),
    refuse: () => raw.destroy(),
    end: () => (stream ? raw.end() : raw.destroy()),
    kill: () => raw.destroy(),
  });
  if (!leave) throw tooManyStreams();
  const unsubscribe = bus.subscribe(userId, (event) => {
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
    // The first events of a job that runs elsewhere may be missing; at the end its row has them all, in order. When a worker moves
    // here with its job, all of its events come again.
    const isNext = event.id === undefined || stream.isNext(event.id);
    if (isNext) stream.push(event);
    if (event.id !== undefined) hasEnding = isNext && isEnding(event.type);
    if (isEnding(event.type) && !runsHere) lookForEnd().catch(onError);
  });
  raw.once('close', () => {
    unsubscribe();
    leave();
  });

  let job = await readJob();
  if (endedMeanwhile) job = await readJob();
  if (!job) throw notFound('job', jobId);
  if (hasEnded(job) && hasAll(job.events, lastId)) {
    await reply.code(204).send();
    return;
  }

  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  reply.hijack();
  stream = openEventStream({ raw, jobId, lastId });
  const running = live.get(jobId);
  if (hasEnded(job) || !running) stream.replay(job.events);
  if (hasEnded(job)) stream.finish();
  else if (running) {
    stream.replay(running.kept());
    for (const event of running.present()) if (event.replaceable) stream.push(event);
  }
}

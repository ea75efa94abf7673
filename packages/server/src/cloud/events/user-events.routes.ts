import { optional } from '@atelier/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { tooManyStreams } from './connections.ts';
import { openTextStream } from './event-stream.ts';
import type { JobEventsParts } from './job-events.routes.ts';
import { statusEvent } from './messages.ts';
import type { SocketParts } from './open-socket.ts';
import type { UserEvent } from './user-event.ts';

type UserEventsParts = Omit<JobEventsParts, 'keptEventsOf'> &
  Pick<SocketParts, 'countsOf' | 'presentElsewhere'>;

/** Until the stream is open. More than this is given up: the reader connects again. */
const MAX_EARLY = 1000;

export const userEventsRoutes: Routes<UserEventsParts> = (parts) => async (app) => {
  const route = createRouteDefiner(app, { tag: 'workflows' });
  route('GET', '/api/jobs/events', {
    operation: 'cloud.jobs.events_of_all',
    exposeHeadRoute: false,
    tokenInQuery: true,
    failures: [429],
    summary: 'What happens to all your jobs, as Server-Sent Events',
    description:
      'Sends `status` first, then the state of running jobs, then every message about all jobs of the account, as `GET /ws` does. It does not end by itself and cannot be resumed: after a lost connection, read the lists again. An account may have `ATELIER_STREAMS_PER_USER` event streams and WebSockets open; beyond that the answer is 429.',
    query: optional({
      previews: Type.Boolean({ description: 'Also pictures, as in `GET /api/jobs/{id}/events`.' }),
      token: Type.String({
        description: 'API key or token, for clients that cannot set a header, such as `EventSource`.',
      }),
    }),
    response: {
      200: Type.Unsafe<unknown>({
        description: 'The messages of the WebSocket: `event` is the type, `data` the data.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      }),
    },
    handle: async ({ actor, query, request, reply }) =>
      await streamAll(parts, {
        request,
        reply,
        userId: actor.userId,
        wantsPictures: query.previews === true,
      }),
  });
};

interface Watcher {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly userId: string;
  readonly wantsPictures: boolean;
}

async function streamAll(
  parts: UserEventsParts,
  { request, reply, userId, wantsPictures }: Watcher,
): Promise<void> {
  const { bus, live, connections } = parts;
  const { raw } = reply;
  let stream: ReturnType<typeof openTextStream> | undefined;
  let early: UserEvent[] = [];
  const leave = connections.add({
    userId,
    kind: 'event_stream',
    beatMs: parts.commentMs,
    beat: () => stream?.beat(),
    check: async () => await parts.authenticate(request),
    refuse: () => raw.destroy(),
    end: () => (stream ? raw.end() : raw.destroy()),
    kill: () => raw.destroy(),
  });
  if (!leave) throw tooManyStreams();
  const unsubscribe = bus.subscribe(userId, (event) => {
    if (event.kind === 'text' || (event.kind === 'preview' && event.layout === 'plain')) return;
    if (event.kind !== 'message' && !wantsPictures) return;
    if (stream) stream.push(event);
    else if (early.push(event) > MAX_EARLY) raw.destroy();
  });
  raw.once('close', () => {
    unsubscribe();
    leave();
  });
  // In the same turn as the subscription: nothing is missing and nothing comes twice.
  const present = [...live.of(userId).flatMap((job) => job.present()), ...parts.presentElsewhere(userId)];
  const counts = await parts.countsOf(userId);
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  reply.hijack();
  stream = openTextStream(raw);
  for (const event of [statusEvent(counts), ...present, ...early]) stream.push(event);
  early = [];
}

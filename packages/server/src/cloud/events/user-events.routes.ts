import { optional } from '@atelier/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { openTextStream } from './event-stream.ts';
import { holdStream, type StreamParts } from './hold-stream.ts';
import { statusEvent } from './messages.ts';
import type { SocketParts } from './open-socket.ts';
import type { UserEvent } from './user-event.ts';

type UserEventsParts = StreamParts & Pick<SocketParts, 'countsOf' | 'presentOf'>;

/** Events before the stream is open. With more, the connection is closed and the reader connects again. */
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
  let stream: ReturnType<typeof openTextStream> | undefined;
  let early: UserEvent[] = [];
  const begin = holdStream(parts, request, reply, {
    userId,
    beat: () => stream?.beat(),
    hear(event) {
      if (event.kind === 'text' || (event.kind === 'preview' && event.layout === 'plain')) return;
      if (event.kind !== 'message' && !wantsPictures) return;
      if (stream) stream.push(event);
      else if (early.push(event) > MAX_EARLY) reply.raw.destroy();
    },
  });
  // In the same turn as the subscription, so that no message is missing or sent twice.
  const present = parts.presentOf(userId);
  const counts = await parts.countsOf(userId);
  stream = openTextStream(begin());
  for (const event of [statusEvent(counts), ...present, ...early]) stream.push(event);
  early = [];
}

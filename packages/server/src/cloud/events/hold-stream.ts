import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Bus } from '../../platform/bus/bus.ts';
import type { AppError } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { type Connections, tooManyStreams } from './connections.ts';
import type { UserEvent } from './user-event.ts';

export interface StreamParts {
  readonly bus: Bus<UserEvent>;
  readonly connections: Connections;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly commentMs: number;
}

interface Watcher {
  readonly userId: string;
  readonly beat: () => void;
  readonly hear: (event: UserEvent) => void;
  /** Ends a stream that has begun, because the credential is no longer valid. */
  readonly refuse?: (error: AppError) => void;
  readonly onClose?: () => void;
}

/**
 * Counts a request as an event stream that hears what happens to its user, until it closes. Call the result to begin the answer:
 * it takes the answer over from Fastify, with the headers set so far.
 */
export function holdStream(
  { bus, connections, authenticate, commentMs }: StreamParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, beat, hear, refuse, onClose }: Watcher,
): () => ServerResponse {
  const { raw } = reply;
  let hasBegun = false;
  const leave = connections.add({
    userId,
    kind: 'event_stream',
    beatMs: commentMs,
    beat,
    check: async () => await authenticate(request),
    refuse: (error) => (hasBegun && refuse ? refuse(error) : raw.destroy()),
    end: () => (hasBegun ? raw.end() : raw.destroy()),
    kill: () => raw.destroy(),
  });
  if (!leave) throw tooManyStreams();
  const unsubscribe = bus.subscribe(userId, hear);
  raw.once('close', () => {
    onClose?.();
    unsubscribe();
    leave();
  });
  return () => {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    reply.hijack();
    hasBegun = true;
    return raw;
  };
}

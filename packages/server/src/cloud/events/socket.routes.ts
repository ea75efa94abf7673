import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError, invalid } from '../../platform/errors/app-error.ts';
import { type Actor, actorOf } from '../../platform/http/actor.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { isHandshake, isWebSocketUpgrade, registerSockets } from '../../platform/http/sockets.ts';
import { tooManyStreams } from './connections.ts';
import { openSocket, type SocketParts } from './open-socket.ts';

/** ComfyUI serves every route under /api too. */
const SOCKETS = [
  ['/ws', 'cloud.socket'],
  ['/api/ws', 'host.socket'],
] as const;

const MAX_FRAME_BYTES = 1024 * 1024;

export interface SocketRoutesParts extends SocketParts {
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly publicUrl: string | undefined;
}

/** Which upgrades are accepted. All other requests are answered over HTTP, such as those that offer HTTP/2. */
export function isSocketUpgrade(request: IncomingMessage): boolean {
  return isWebSocketUpgrade(
    request,
    SOCKETS.map(([path]) => path),
  );
}

export const socketRoutes: Routes<SocketRoutesParts> = (parts) => async (app) => {
  // In its own scope, because the plugin wraps the handler of every route that it sees.
  await app.register(async (scope) => {
    await registerSockets(scope, {
      isOwn: isSocketUpgrade,
      maxPayload: MAX_FRAME_BYTES,
      preClose: async () => await parts.connections.close(),
    });
    addSockets(scope, parts);
  });
};

function addSockets(app: App, parts: SocketRoutesParts): void {
  for (const [url, operation] of SOCKETS) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      config: {
        operation,
        // Authenticated below: the credential may be in the query, and a refusal must come before the upgrade.
        access: 'public',
        tokenInQuery: true,
        errorShape: 'code',
        failures: [401, 403, 429],
      },
      schema: {
        summary: 'A WebSocket that tells everything that happens to the caller’s jobs',
        description:
          'Sends `status` first, then the state of running jobs, then every message about all jobs of the account. Binary frames carry pictures and text. The session cookie is accepted only from pages of this server; an account may have `ATELIER_STREAMS_PER_USER` sockets and event streams open (429).',
        tags: ['workflows'],
        querystring: Type.Object({
          clientId: Type.Optional(Type.String({ maxLength: 256, description: 'Comes back as `sid`.' })),
          token: Type.Optional(Type.String({ description: 'API key or token.' })),
        }),
        response: { 101: Type.Unsafe<unknown>({ description: 'The WebSocket is open.', type: 'null' }) },
      },
      onRequest: async (request, reply) => {
        // After a refusal the plugin destroys the connection, so a proxy must not reuse it.
        if (request.ws) reply.header('connection', 'close');
        request.actor = await parts.authenticate(request);
        if (!showsCredential(request)) requireOwnOrigin(request, parts.publicUrl);
      },
      preHandler: (request, _reply, done) => {
        // Without an upgrade, the handler explains what is wrong.
        if (!request.ws) done();
        else if (!isHandshake(request)) done(badHandshake());
        else done(parts.connections.isFull(actorOf(request).userId) ? tooManyStreams() : undefined);
      },
      handler: () => {
        throw invalid('This is a WebSocket: connect with "Upgrade: websocket".');
      },
      wsHandler: (socket, request) => {
        openSocket(parts, {
          socket,
          wire: request.socket,
          userId: actorOf(request).userId,
          clientId: request.query.clientId,
          check: async () => await parts.authenticate(request),
        });
      },
    });
  }
}

function tokenIn({ query }: Pick<FastifyRequest, 'query'>): string | undefined {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function showsCredential(request: FastifyRequest): boolean {
  const { headers } = request;
  return (
    tokenIn(request) !== undefined ||
    headers['x-api-key'] !== undefined ||
    headers.authorization !== undefined
  );
}

/** Browsers send the session cookie with WebSockets that any site opens, and let that site read them. */
function requireOwnOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const own = publicUrl ?? `${request.protocol}://${request.host}`;
  if (request.headers.origin === own) return;
  throw new AppError(
    'auth.origin',
    'A WebSocket that is opened with the session cookie must come from this server itself (Origin header).',
  );
}

function badHandshake(): AppError {
  return invalid('The handshake needs a Sec-WebSocket-Key of 16 bytes and Sec-WebSocket-Version 13.');
}

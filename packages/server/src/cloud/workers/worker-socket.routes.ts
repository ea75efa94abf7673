import type { IncomingMessage } from 'node:http';
import { MAX_WORKER_FRAME_BYTES, WORKER_CLOSE, WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError, invalid } from '../../platform/errors/app-error.ts';
import type { App } from '../../platform/http/route-config.ts';
import { isHandshake, isWebSocketUpgrade, registerSockets } from '../../platform/http/sockets.ts';
import type { WorkerIdentity } from './connected-worker.ts';
import { BEAT_MS, openSession, type Session, type SessionParts } from './open-session.ts';

export interface WorkerSocketParts extends SessionParts {
  /** Throws `auth.invalid`. */
  readonly identify: (token: string) => Promise<WorkerIdentity>;
}

export function isWorkerUpgrade(request: IncomingMessage): boolean {
  return isWebSocketUpgrade(request, [WORKER_PATH]);
}

/** The WebSocket that workers connect to. One timer serves all connections. */
export function createWorkerSockets(parts: WorkerSocketParts) {
  const sessions = new Set<Session>();
  const identities = new WeakMap<FastifyRequest, WorkerIdentity>();
  const beat = setInterval(() => {
    for (const session of sessions) session.beat();
  }, BEAT_MS);
  beat.unref();

  async function routes(app: App): Promise<void> {
    await app.register(async (scope) => {
      await registerSockets(scope, {
        isOwn: isWorkerUpgrade,
        maxPayload: MAX_WORKER_FRAME_BYTES,
        protocol: WORKER_SUBPROTOCOL,
        async preClose() {
          for (const session of sessions) session.close(WORKER_CLOSE.stopping, 'The server stops.');
        },
      });
      scope.route({
        method: 'GET',
        url: WORKER_PATH,
        exposeHeadRoute: false,
        config: { operation: 'workers.socket', access: 'public', failures: [401, 426] },
        schema: {
          hide: true,
          summary: 'The WebSocket of workers',
          description: `Takes a worker token and the subprotocol \`${WORKER_SUBPROTOCOL}\`.`,
          tags: ['administration'],
          response: { 101: Type.Unsafe<unknown>({ description: 'The WebSocket is open.', type: 'null' }) },
        },
        onRequest: async (request, reply) => {
          if (request.ws) reply.header('connection', 'close');
          identities.set(request, await parts.identify(tokenOf(request)));
        },
        preHandler: (request, _reply, done) => {
          if (!request.ws) done();
          else if (!isHandshake(request)) done(invalid('The handshake is not one of WebSocket version 13.'));
          else done(speaksProtocol(request) ? undefined : otherProtocol(request));
        },
        handler: () => {
          throw invalid('This is a WebSocket: connect with "Upgrade: websocket".');
        },
        wsHandler: (socket, request) => {
          const identity = identities.get(request);
          if (!identity) throw new Error('A worker was let in without a token.');
          const session = openSession(parts, { socket, identity, onClose: () => sessions.delete(session) });
          sessions.add(session);
        },
      });
    });
  }

  return { routes, close: () => clearInterval(beat) };
}

export function tokenOf({ headers }: FastifyRequest): string {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

const offered = ({ headers }: FastifyRequest): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());

const speaksProtocol = (request: FastifyRequest): boolean => offered(request).includes(WORKER_SUBPROTOCOL);

function otherProtocol(request: FastifyRequest): AppError {
  const theirs = offered(request).join(', ') || 'none';
  return new AppError(
    'cloud.worker_protocol',
    `This server speaks ${WORKER_SUBPROTOCOL}, and the worker offers ${theirs}. Install the same version of Atelier on both.`,
  );
}

import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';

import type { App } from './route-config.ts';

interface SocketOptions {
  /** Whether an upgrade is for this scope. */
  readonly isOwn: (request: IncomingMessage) => boolean;
  readonly maxPayload: number;
  readonly preClose: () => Promise<void>;
  /** The subprotocol, if any. */
  readonly protocol?: string;
}

/** Enables WebSockets for the routes of a scope. Each scope has its own limits, so it receives only its own upgrades. */
export async function registerSockets(scope: App, options: SocketOptions): Promise<void> {
  const { isOwn, maxPayload, protocol, preClose } = options;
  const upgrades = new EventEmitter();
  scope.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOwn(request)) upgrades.emit('upgrade', request, socket, head);
  });
  const limits = {
    perMessageDeflate: false,
    clientTracking: false,
    /** How long the other side may take to confirm a close. */
    closeTimeout: 5000,
    maxPayload,
    ...(protocol !== undefined && { handleProtocols: () => protocol }),
    // The plugin only listens for upgrades of the server.
    server: upgrades as unknown as Server,
  };
  await scope.register(websocket, {
    options: limits,
    // A frame that is too large or broken closes its socket anyway.
    errorHandler: () => undefined,
    preClose,
  });
}

export function isWebSocketUpgrade(
  { url = '', headers }: IncomingMessage,
  paths: readonly string[],
): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && paths.includes(url.split('?', 1)[0] ?? '');
}

/** The library would answer other requests in a shape of its own. */
export function isHandshake({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['sec-websocket-version'] === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
  );
}

import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';

import type { App } from './route-config.ts';

interface SocketOptions {
  /** Which upgrades are for the routes of this scope. */
  readonly isOwn: (request: IncomingMessage) => boolean;
  readonly maxPayload: number;
  readonly preClose: () => Promise<void>;
  /** The subprotocol, when there is one. */
  readonly protocol?: string;
}

/** Lets the routes of a scope be WebSockets. Each scope has limits of its own, so it hears only of its own upgrades. */
export async function registerSockets(scope: App, options: SocketOptions): Promise<void> {
  const { isOwn, maxPayload, protocol, preClose } = options;
  const upgrades = new EventEmitter();
  scope.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isOwn(request)) upgrades.emit('upgrade', request, socket, head);
  });
  const limits = {
    perMessageDeflate: false,
    clientTracking: false,
    /** How long the other side may take to confirm that the socket closes. */
    closeTimeout: 5000,
    maxPayload,
    ...(protocol !== undefined && { handleProtocols: () => protocol }),
    // The plugin wants a server but only hears of upgrades from it.
    server: upgrades as unknown as Server,
  };
  await scope.register(websocket, {
    options: limits,
    // A frame that is too large or broken closes its socket by itself.
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

/** What the library would refuse in a shape of its own. */
export function isHandshake({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['sec-websocket-version'] === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
  );
}

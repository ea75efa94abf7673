import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

import { type AllowList, parseAllowList } from '../allow-list.ts';
import { createOutbound, type Outbound } from '../outbound.ts';
import { OutboundError, type OutboundReason } from '../outbound-error.ts';
import type { Lookup } from '../target.ts';

export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:port`; for another host or scheme put it together from the port. */
  readonly origin: string;
  /** Every connection that was ever made. */
  readonly sockets: readonly Socket[];
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Place {
  readonly address?: string;
  readonly port?: number;
}

export async function startHttp(t: TestContext, listener: Listener, place: Place = {}) {
  return await listen(
    t,
    createHttpServer((request, response) => void listener(request, response)),
    place,
  );
}

export async function startHttps(
  t: TestContext,
  certificate: { readonly key: string; readonly cert: string },
  listener: Listener,
) {
  return await listen(
    t,
    createHttpsServer(certificate, (request, response) => void listener(request, response)),
    {},
  );
}

/** A server that speaks no HTTP but what the test writes. */
export async function startTcp(t: TestContext, onSocket: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    onSocket(socket);
  });
  return await listen(t, server, {});
}

/** One that sends `text` once a request came in and leaves the connection open. */
export async function startScript(t: TestContext, text: string, then: (socket: Socket) => void = () => {}) {
  return await startTcp(t, (socket) => {
    socket.once('data', () => socket.write(text, () => then(socket)));
  });
}

async function listen(t: TestContext, server: Server, place: Place): Promise<LoopbackServer> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.listen(place.port ?? 0, place.address ?? '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, sockets };
}

export function allowing(...entries: readonly string[]): AllowList {
  const { allow, problems } = parseAllowList(entries);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return allow;
}

interface OutboundOptions {
  readonly allow?: readonly string[];
  readonly lookup?: Lookup;
}

export function startOutbound(
  t: TestContext,
  { allow = [], lookup = noNames }: OutboundOptions = {},
): Outbound {
  const outbound = createOutbound({ allow: allowing(...allow), lookup });
  t.after(() => outbound.close());
  return outbound;
}

/** A resolver that knows the names given and no others. */
export function names(table: Readonly<Record<string, readonly string[]>>): Lookup {
  return async (host) => table[host] ?? (await noNames(host));
}

const noNames: Lookup = async (host) => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
};

/** For `assert.rejects`: an outbound error of this reason. */
export function because(reason: OutboundReason, { sent }: { readonly sent?: boolean } = {}) {
  return (error: unknown) => {
    if (error instanceof OutboundError && error.reason === reason && (sent ?? error.sent) === error.sent) {
      return true;
    }
    throw new Error(`expected an outbound error because of "${reason}"`, { cause: error });
  };
}

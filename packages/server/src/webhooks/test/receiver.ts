import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { startHttp } from '../../platform/net/test/loopback-server.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** The bodies in order of arrival. */
  bodies(): string[];
}

type Answer = number | ((received: Received, response: ServerResponse) => unknown);

/** A real server that remembers what it was sent. Answers 204 unless told otherwise. */
export async function startReceiver(
  t: TestContext,
  answer: Answer = 204,
  { address = '127.0.0.1' }: { address?: string } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const server = await startHttp(
    t,
    async (request, response) => {
      const body = (await request.toArray()).join('');
      const message = { path: request.url ?? '', headers: request.headers, body };
      received.push(message);
      if (typeof answer === 'number') response.writeHead(answer).end();
      else await answer(message, response);
    },
    { address },
  );
  return {
    url: `http://${address}:${server.port}/hook`,
    port: server.port,
    received,
    bodies: () => received.map(({ body }) => body),
  };
}

/** A place where answers wait until the test lets them go, at the latest when it ends. */
export function createGate(t: TestContext) {
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const arrivals = new EventEmitter();
  const guests: number[] = [];
  const open = () => resolve();
  t.after(open);
  return {
    open,
    async pass(): Promise<void> {
      arrivals.emit('arrival', guests.push(1));
      await opened;
    },
    waiting: () => guests.length,
    /** Resolves once so many wait. */
    async reached(count: number): Promise<void> {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (guests.length < count) await once(arrivals, 'arrival', { signal });
    },
  };
}

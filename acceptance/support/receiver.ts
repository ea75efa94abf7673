import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Receiver {
  /** Where a path of it is. */
  url(path: string): string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Those that came to a path. */
  at(path: string): Received[];
  /** What a path answers from now on; 204 at first. */
  answer(path: string, reply: Reply): void;
  close(): void;
}

/** A receiver of webhooks that remembers what it was sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const replies = new Map<string, Reply>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const headers = request.headers as Record<string, string>;
      received.push({ path, headers, text: Buffer.concat(chunks).toString() });
      const { status, headers: replied = {}, body = '' } = replies.get(path) ?? { status: 204 };
      response.writeHead(status, replied).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    received,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    at: (path) => received.filter((message) => message.path === path),
    answer: (path, reply) => void replies.set(path, reply),
    close: () => void server.close(),
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface PictureHost {
  readonly port: number;
  /** Where a path of it is. */
  url(path: string): string;
  /** Paths as they were asked for, in order. */
  readonly asked: readonly string[];
  /** What a path answers from now on; 404 at first. */
  on(path: string, reply: Reply): void;
  /** Bytes under a path, as a type that need not be theirs. */
  serve(path: string, bytes: Uint8Array, type: string): void;
  close(): void;
}

/** A web server for pictures on loopback that counts who asks it. */
export async function startPictureHost(): Promise<PictureHost> {
  const asked: string[] = [];
  const replies = new Map<string, Reply>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    request.resume();
    const reply = replies.get(path);
    if (reply) reply(response, request);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    on: (path, reply) => void replies.set(path, reply),
    serve: (path, bytes, type) =>
      void replies.set(path, (response) => void response.writeHead(200, { 'content-type': type }).end(bytes)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Bytes without end, as fast as they are taken. */
export function endless(start: Uint8Array): Reply {
  const chunk = Buffer.alloc(256 * 1024);
  return (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(start);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
}

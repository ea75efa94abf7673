import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RunningServer } from '@atelier/testing';

import { until } from './until.ts';

export interface BegunRequest {
  readonly socket: Socket;
  received(): string;
}

interface Asked {
  readonly bodyBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose head the server has certainly read, because it has asked for the body. */
export async function beginRequest(
  server: RunningServer,
  line: string,
  { bodyBytes, headers = {} }: Asked,
): Promise<BegunRequest> {
  const socket = await openConnection(server);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  const others = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${others.join('')}` +
      `Content-Length: ${bodyBytes}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await until('the server to ask for the body', () => received.includes('100 Continue'));
  return { socket, received: () => received };
}

export async function openConnection({ url }: RunningServer): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { Drive } from './http-load.ts';
import { answer, inputOf } from './in-process.ts';
import { toSample } from './sample.ts';

const END_OF_HEADERS = Buffer.from('\r\n\r\n');

const { url, paths, headers = {}, connections, seconds } = await inputOf<Drive>();
const { hostname, port, host } = new URL(url);
const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));

const times: number[] = [];
const signal = AbortSignal.timeout(seconds * 1000 + 10_000);
const start = performance.now();
const end = start + seconds * 1000;
let asked = 0;

/** All connections take from one list, so that no page is asked for by two of them. */
function ask(socket: Socket): void {
  const request = requests[asked++ % requests.length];
  if (request) socket.write(request);
}

/** One request after the other. Bodies are counted, not looked at. */
async function walk(): Promise<void> {
  const socket = connect({ host: hostname, port: Number(port), signal, noDelay: true });
  await once(socket, 'connect', { signal });
  let askedAt = performance.now();
  let left: number | undefined;
  let head: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    try {
      if (left === undefined) {
        head = head.byteLength === 0 ? chunk : Buffer.concat([head, chunk]);
        const length = head.indexOf(END_OF_HEADERS);
        if (length === -1) return;
        left = bodyLength(head.toString('latin1', 0, length)) - (head.byteLength - length - 4);
        head = Buffer.alloc(0);
      } else {
        left -= chunk.byteLength;
      }
      if (left > 0) return;
      if (left < 0) throw new Error(`${url} sent more than it announced`);
      left = undefined;
      const now = performance.now();
      times.push(now - askedAt);
      askedAt = now;
      if (now < end) ask(socket);
      else socket.end();
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  ask(socket);
  await once(socket, 'close', { signal });
}

function bodyLength(head: string): number {
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${url} answered ${head.slice(0, 40)}`);
  const length = /^content-length: (\d+)\r?$/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`${url} does not say how long its answer is`);
  return Number(length);
}

await Promise.all(Array.from({ length: connections }, walk));
answer(toSample(times, performance.now() - start));

import { once } from 'node:events';
import { WebSocket } from 'ws';

import { answer, inputOf } from './in-process.ts';
import { type SocketsDrive, USERS } from './measure-sockets.ts';
import { toSample } from './sample.ts';

/** At once, so that connecting does not look like a storm. */
const OPENING = 50;

const { url, sockets: count, seconds } = await inputOf<SocketsDrive>();
const times: number[] = [];
let counting = false;

const sockets: WebSocket[] = [];
for (let start = 0; start < count; start += OPENING) {
  const some = Array.from({ length: Math.min(OPENING, count - start) }, (_, n) =>
    open(`user-${(start + n) % USERS}`),
  );
  await Promise.all(some.map(async (socket) => await once(socket, 'open')));
  sockets.push(...some);
}
await fetch(`${url}/open/${count}`);
counting = true;
const begin = performance.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
counting = false;
const span = performance.now() - begin;
for (const socket of sockets) socket.terminate();
answer(toSample(times, span));

function open(user: string): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${user}`, { perMessageDeflate: false });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!counting || isBinary) return;
    const text = data.toString('latin1');
    const at = text.lastIndexOf('"at":');
    if (at > 0)
      times.push(performance.timeOrigin + performance.now() - Number.parseFloat(text.slice(at + 5)));
  });
  return socket;
}

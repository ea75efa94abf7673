import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

import { answer, inputOf } from '../in-process.ts';
import { percentile } from '../measure.ts';

/** At once, so that connecting does not look like a storm. */
const OPENING = 50;

export interface SocketsDrive {
  readonly url: string;
  readonly users: number;
  readonly sockets: number;
  readonly seconds: number;
}

const { url, users, sockets: count, seconds } = await inputOf<SocketsDrive>();
const times: number[] = [];
let isCounting = false;

const sockets: WebSocket[] = [];
while (sockets.length < count) {
  const some = Array.from({ length: OPENING }, (_, n) => open(`user-${(sockets.length + n) % users}`));
  await Promise.all(some.map(async (socket) => await once(socket, 'open')));
  sockets.push(...some);
}
await fetch(`${url}/open/${count}`);
isCounting = true;
await wait(seconds * 1000);
isCounting = false;
for (const socket of sockets) socket.terminate();
answer({ p99Ms: percentile(times, 99) });

function open(user: string): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${user}`, { perMessageDeflate: false });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isCounting || isBinary) return;
    const text = data.toString('latin1');
    const at = text.lastIndexOf('"at":');
    if (at > 0)
      times.push(performance.timeOrigin + performance.now() - Number.parseFloat(text.slice(at + 5)));
  });
  return socket;
}

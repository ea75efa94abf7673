import { setTimeout as delay } from 'node:timers/promises';
import type { ToWorker } from '@atelier/contracts';
import {
  MAX_WORKER_FRAME_BYTES,
  WORKER_CLOSE,
  WORKER_PATH,
  WORKER_SUBPROTOCOL,
} from '@atelier/contracts/worker-protocol';
import { WebSocket } from 'ws';

import type { Frame } from './outbox.ts';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
/** Attempts can be resumed for this long. */
const RESUME_MS = 30_000;
const MAX_RESUME_PAUSE_MS = 1000;
const CONNECT_MS = 15_000;
/** The server pings every 5 s. */
const MAX_SILENCE_MS = 15_000;
/** A graph can be larger than any message of a worker. */
const MAX_PAYLOAD_BYTES = 8 * MAX_WORKER_FRAME_BYTES;

interface Parts {
  readonly token: string;
  readonly signal: AbortSignal;
  /** The first message of every connection. */
  readonly hello: () => object;
  readonly onMessage: (message: ToWorker) => void;
  readonly log: (sentence: string) => void;
}

/** The server refuses this worker permanently. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Keeps a connection to the server, and reconnects whenever it is lost. */
export function createConnection({ token, signal, hello, onMessage, log }: Parts) {
  let current: WebSocket | undefined;
  let isWelcome = false;
  let lostAt = performance.now();

  /** Resolves when the connection has ended. */
  async function connectOnce(url: URL): Promise<void> {
    const socket = new WebSocket(url, WORKER_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_PAYLOAD_BYTES,
      perMessageDeflate: false,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let wasWelcome = false;
    let heardAt = performance.now();
    const heard = (): void => {
      heardAt = performance.now();
    };
    const watch = setInterval(() => {
      if (performance.now() - heardAt > MAX_SILENCE_MS) socket.terminate();
    }, MAX_SILENCE_MS / 5);
    const stop = (): void => socket.close(WORKER_CLOSE.stopping);
    signal.addEventListener('abort', stop, { once: true });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      const { statusCode: status = 0 } = response;
      // A proxy answers with 502 or 404 while a server starts; these two are about the token and the version.
      if (status === 401 || status === 426)
        reject(new Refused(`The server refused this worker (${status}).`));
      else reject(new Error(`The server answered ${status}.`));
    });
    socket.on('error', reject);
    socket.on('ping', heard);
    socket.on('open', () => {
      heard();
      current = socket;
      socket.send(JSON.stringify(hello()));
    });
    socket.on('message', (data: Buffer, isBinary) => {
      heard();
      if (isBinary) return;
      const message = JSON.parse(data.toString()) as ToWorker;
      if (message.type === 'welcome') {
        if (!wasWelcome) log(`Connected to ${url.origin}.`);
        wasWelcome = true;
        isWelcome = true;
      }
      onMessage(message);
    });
    socket.on('close', (code, reason) => {
      const why = reason.length > 0 ? `: ${reason.toString()}` : '';
      if (code === WORKER_CLOSE.refused) reject(new Refused(`The server refused this worker${why}`));
      // A connection that was never made is logged as an error.
      if (!signal.aborted && (wasWelcome || why !== '')) log(`The connection has ended (${code})${why}`);
      resolve();
    });
    try {
      await promise;
    } finally {
      isWelcome = false;
      if (wasWelcome) lostAt = performance.now();
      if (current === socket) current = undefined;
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      socket.on('error', () => {});
      socket.terminate();
    }
  }

  return {
    isConnected: () => isWelcome,
    send(frame: Frame): void {
      current?.send(frame);
    },
    /** Resolves when the signal aborts; rejects with `Refused`. */
    async run(server: string): Promise<void> {
      const url = new URL(`${server.replace(/\/$/, '')}${WORKER_PATH}`);
      url.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
      let told = '';
      while (!signal.aborted) {
        try {
          await connectOnce(url);
        } catch (error) {
          if (error instanceof Refused) throw error;
          const why = error instanceof Error ? error.message : String(error);
          if (why !== told) log(why);
          told = why;
        }
        await delay(pauseAfter(performance.now() - lostAt), undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** Grows with the time that the server is away. Random, so that workers do not all reconnect at once. */
function pauseAfter(awayMs: number): number {
  const longest = awayMs < RESUME_MS ? MAX_RESUME_PAUSE_MS : MAX_PAUSE_MS;
  return Math.min(Math.max(awayMs, FIRST_PAUSE_MS), longest) * (0.5 + Math.random());
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';
import { parsePlainPythonJson } from '@atelier/engine/runner';
import { WebSocket } from 'ws';

import { type ComfyFrame, decodeFrame } from './decode-frame.ts';
import { type Fields, fieldsOf, parseJsonOrUndefined } from './read-fields.ts';

export interface ComfyMessage {
  readonly type: string;
  readonly data: Fields;
}

export type ComfySocket = ReturnType<typeof openComfySocket>;
type Listener = (said: ComfyMessage | ComfyFrame) => void;

/** Told to listeners when the connection is lost: they will hear nothing more about a running prompt. */
export const SOCKET_LOST: ComfyMessage = { type: 'socket_lost', data: {} };

interface Parts {
  readonly url: string;
  readonly signal: AbortSignal;
  /** Called when the connection is lost, before the listeners. */
  readonly onLost: () => void;
}

const CONNECT_MS = 15_000;
/** After a restart, ComfyUI answers requests a moment before the socket is back. */
const PATIENCE_MS = 3000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2000;
/** A node that holds Python's interpreter lock also delays the answers to pings. */
const PING_MS = 20_000;
const MAX_SILENCE_MS = 120_000;
const MAX_PAYLOAD_BYTES = 128 * 2 ** 20;

/**
 * Listens to the events of a ComfyUI. Each connection has a client id of its own: ComfyUI goes silent for a second connection
 * with the same id as soon as the first one ends.
 */
export function openComfySocket({ url, signal, onLost }: Parts) {
  const listeners = new Set<Listener>();
  let current: string | undefined;
  let connected = Promise.withResolvers<void>();

  function tell(said: ComfyMessage | ComfyFrame): void {
    for (const listener of listeners) listener(said);
  }

  async function connectOnce(): Promise<void> {
    const id = `atelier-${randomUUID()}`;
    const address = new URL(`${url}/ws?clientId=${id}`);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, {
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_PAYLOAD_BYTES,
      // Compression would take a fifth of the time that a short job costs this process, and as much at ComfyUI.
      perMessageDeflate: false,
    });
    let heardAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const ping = setInterval(() => {
      if (performance.now() - heardAt > MAX_SILENCE_MS) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, PING_MS);
    const stop = (): void => socket.terminate();
    signal.addEventListener('abort', stop, { once: true });
    socket.on('open', () => {
      // ComfyUI reads this only in the first message.
      socket.send(JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }));
      current = id;
      connected.resolve();
    });
    socket.on('pong', () => {
      heardAt = performance.now();
    });
    // Never wait here: one reader that stalls stops the events of all clients of that ComfyUI.
    socket.on('message', (data: Buffer<ArrayBuffer>, isBinary) => {
      heardAt = performance.now();
      const message = isBinary ? decodeFrame(data) : readMessage(data.toString());
      if (message) tell(message);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    await promise;
    clearInterval(ping);
    signal.removeEventListener('abort', stop);
    if (current !== id) return;
    current = undefined;
    connected = Promise.withResolvers<void>();
    onLost();
    tell(SOCKET_LOST);
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await connectOnce();
      pause =
        performance.now() - startedAt > MAX_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, MAX_PAUSE_MS);
      await delay(pause, undefined, { signal }).catch(() => {});
    }
  }

  void run();
  return {
    /** Calls back with everything that arrives, until it is disposed of. */
    listen(listener: Listener): Disposable {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
    /** The id to submit with; `undefined` while there is no connection. */
    clientId: (): string | undefined => current,
    /** The same, after waiting a moment for a connection. */
    async connectedId(): Promise<string | undefined> {
      if (current === undefined)
        await Promise.race([connected.promise, delay(PATIENCE_MS, undefined, { ref: false })]);
      return current;
    },
  };
}

/** This message comes with every step and has all nodes so far; only small numbers and names are read from it. */
const NODE_STATES = '{"type": "progress_state"';

function parse(text: string): unknown {
  // `JSON.parse` is ten times as fast, but does not accept the NaN that Python may write.
  return (text.startsWith(NODE_STATES) && parseJsonOrUndefined(text)) || parsePlainPythonJson(text);
}

function readMessage(text: string): ComfyMessage | undefined {
  try {
    const message = parse(text);
    if (!isObject(message) || typeof message['type'] !== 'string') return undefined;
    return { type: message['type'], data: fieldsOf(message['data']) };
  } catch {
    return undefined;
  }
}

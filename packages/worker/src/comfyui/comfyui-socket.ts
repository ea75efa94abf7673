import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';
import { parsePlainPythonJson } from '@atelier/engine/runner';
import { WebSocket } from 'ws';

import { type ComfyFrame, decodeFrame } from './decode-frame.ts';
import { parseJsonOrUndefined } from './parse-json.ts';

export interface ComfyMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** In place of a message: what comes next about a running prompt is not heard any more. */
export const SOCKET_LOST: ComfyMessage = { type: 'socket_lost', data: {} };

interface Parts {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly onMessage: (message: ComfyMessage | ComfyFrame) => void;
  /** What was said in between is lost. */
  readonly onLost: () => void;
}

const CONNECT_MS = 15_000;
/** After a restart it answers requests a moment before the socket is back. */
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
export function openComfySocket({ url, signal, onMessage, onLost }: Parts) {
  let current: string | undefined;
  let connected = Promise.withResolvers<void>();

  async function connectOnce(): Promise<void> {
    const id = `atelier-${randomUUID()}`;
    const address = new URL(`${url}/ws?clientId=${id}`);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, {
      handshakeTimeout: CONNECT_MS,
      maxPayload: MAX_PAYLOAD_BYTES,
      // ComfyUI would compress while it runs the prompt: a fifth of what a short job costs this process, and as much there.
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
      // Only the first message may say this.
      socket.send(JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }));
      current = id;
      connected.resolve();
    });
    socket.on('pong', () => {
      heardAt = performance.now();
    });
    // It is read without waiting for anybody: one reader that stalls stops the events of all clients of that ComfyUI.
    socket.on('message', (data: Buffer<ArrayBuffer>, isBinary) => {
      heardAt = performance.now();
      const message = isBinary ? decodeFrame(data) : readMessage(data.toString());
      if (message) onMessage(message);
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
    /** The id to submit with; `undefined` while there is no connection. */
    clientId: (): string | undefined => current,
    /** Waits a moment for a connection. */
    async connectedId(): Promise<string | undefined> {
      if (current === undefined)
        await Promise.race([connected.promise, delay(PATIENCE_MS, undefined, { ref: false })]);
      return current;
    },
  };
}

/** It comes with every step and has all nodes so far; only short numbers and names of it are read. */
const NODE_STATES = '{"type": "progress_state"';

function parse(text: string): unknown {
  // Ten times as fast. Python may have written NaN, which it does not read.
  return (text.startsWith(NODE_STATES) && parseJsonOrUndefined(text)) || parsePlainPythonJson(text);
}

function readMessage(text: string): ComfyMessage | undefined {
  try {
    const message = parse(text);
    if (!isObject(message) || typeof message['type'] !== 'string') return undefined;
    return { type: message['type'], data: isObject(message['data']) ? message['data'] : {} };
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';

import type { Bus } from '../../platform/bus/bus.ts';
import type { QueueCounts } from '../queue/job-queue.ts';
import type { Connections } from './connections.ts';
import { messageFrame, pictureFrame } from './frames.ts';
import { isEndMarker, statusEvent } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { readFeatureFlags } from './read-feature-flags.ts';
import type { MessageEvent, UserEvent } from './user-event.ts';

/** Clients send a single message. More frames than this between two pings are a flood. */
const FRAMES_PER_BEAT = 1000;

const CLOSE = {
  stopping: 1001,
  missed: 1012,
  refused: 1008,
  failed: 1011,
  tooMuch: 1013,
  credential: 4001,
} as const;

const GOODBYE = { stopping: 'The server stops.', missed: 'Messages are missing. Connect again.' } as const;

export interface SocketParts {
  readonly bus: Bus<UserEvent>;
  /** The messages about running jobs that a new watcher needs first. */
  readonly presentOf: (userId: string) => readonly MessageEvent[];
  readonly connections: Connections;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly features: MessageEvent;
  readonly pingMs: number;
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly socket: WebSocket;
  /** The connection below the WebSocket. */
  readonly wire: Socket;
  readonly userId: string;
  readonly clientId: string | undefined;
  readonly check: () => Promise<unknown>;
}

/** Sends a socket the current state, then everything that happens to its user, until it closes. */
export function openSocket(parts: SocketParts, { socket, wire, userId, clientId, check }: Opened): void {
  const { bus, connections, presentOf } = parts;
  let isAlive = true;
  let isWelcome = false;
  let wantsMetadata = false;
  let isEditor = false;
  let hasSpoken = false;
  let framesLeft = FRAMES_PER_BEAT;

  const outbox = createOutbox({
    buffered: () => socket.bufferedAmount,
    send(event) {
      writeTogether(wire);
      if (event.kind === 'message') socket.send(messageFrame(event), { binary: false });
      else if (event.kind === 'text') socket.send(event.frame, { binary: true });
      else socket.send(pictureFrame(event, wantsMetadata ? 'metadata' : 'plain'), { binary: true });
    },
    onceDrained: (callback) => wire.once('drain', callback),
    giveUp: () => socket.close(CLOSE.tooMuch, 'This connection reads too slowly.'),
  });

  const leave = connections.add({
    userId,
    kind: 'websocket',
    beatMs: parts.pingMs,
    check,
    beat() {
      if (!isAlive || !isWelcome) {
        socket.terminate();
        return;
      }
      isAlive = false;
      framesLeft = FRAMES_PER_BEAT;
      socket.ping();
    },
    refuse: (error) => socket.close(error.status === 401 ? CLOSE.credential : CLOSE.refused, error.code),
    end: (reason) => socket.close(CLOSE[reason], GOODBYE[reason]),
    kill: () => socket.terminate(),
  });
  if (!leave) {
    socket.close(CLOSE.stopping, GOODBYE.stopping);
    return;
  }

  const unsubscribe = bus.subscribe(userId, (event) => {
    if (event.kind === 'preview' && wantsMetadata !== (event.layout === 'metadata')) return;
    if (event.kind === 'picture' && (event.clientId ?? clientId) !== clientId) return;
    outbox.push(event);
    if (isEditor && event.kind === 'message' && isEndMarker(event)) remind();
  });
  /** The editor knows one job at a time: when any job ends, it forgets the running one and could not stop it. */
  function remind(): void {
    const running = presentOf(userId).find(({ type }) => type === 'execution_start');
    if (running) outbox.push(running);
  }
  // In the same turn as the subscription, so that no message is missing or sent twice.
  const present = presentOf(userId);

  const count = (): void => {
    framesLeft -= 1;
    if (framesLeft === 0) socket.close(CLOSE.refused, 'These are too many frames.');
  };
  socket.on('message', (data: RawData, isBinary: boolean) => {
    count();
    if (isBinary || hasSpoken || !Buffer.isBuffer(data)) return;
    hasSpoken = true;
    const flags = readFeatureFlags(data);
    if (!flags) return;
    isEditor = true;
    wantsMetadata = flags['supports_preview_metadata'] === true;
    outbox.push(parts.features);
  });
  // Pings count too: each is answered, and the answers are buffered for a slow reader.
  socket.on('ping', count);
  socket.on('pong', () => {
    isAlive = true;
    count();
  });
  socket.once('close', () => {
    unsubscribe();
    leave();
  });

  parts
    .countsOf(userId)
    .then((counts) => {
      isWelcome = true;
      outbox.open([statusEvent(counts, clientId || randomUUID().replaceAll('-', '')), ...present]);
      return undefined;
    })
    .catch((error: unknown) => {
      parts.onError(error);
      socket.close(CLOSE.failed, 'The queue cannot be read now. Try again.');
    });
}

/**
 * Writes the frames of one turn of the event loop with one system call, which takes about 75 µs. Large graphs send thousands of
 * frames a second, and small jobs three or four each.
 */
function writeTogether(wire: Socket): void {
  if (wire.writableCorked > 0) return;
  wire.cork();
  // Not later: after a stall, the server must not send them.
  setImmediate(() => wire.uncork());
}

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';

import type { Bus } from '../../platform/bus/bus.ts';
import type { QueueCounts } from '../queue/job-queue.ts';
import type { Connections } from './connections.ts';
import { messageFrame, pictureFrame } from './frames.ts';
import type { LiveJobs } from './live-jobs.ts';
import { isEndMarker, statusEvent } from './messages.ts';
import { createOutbox } from './outbox.ts';
import { readFeatureFlags } from './read-feature-flags.ts';
import type { MessageEvent, UserEvent } from './user-event.ts';

/** Clients have one thing to say. More than this between two pings is a flood. */
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
  readonly live: LiveJobs;
  /** The same of jobs that run on other servers. */
  readonly presentElsewhere: (userId: string) => readonly MessageEvent[];
  readonly connections: Connections;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly features: MessageEvent;
  readonly pingMs: number;
  readonly onError: (error: unknown) => void;
}

interface Opened {
  readonly socket: WebSocket;
  /** What the WebSocket runs on. */
  readonly wire: Socket;
  readonly userId: string;
  readonly clientId: string | undefined;
  readonly check: () => Promise<unknown>;
}

/** Tells a socket how things stand, then everything that happens to its user, until it closes. */
export function openSocket(parts: SocketParts, { socket, wire, userId, clientId, check }: Opened): void {
  const { bus, live, connections } = parts;
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
  const presentNow = (): MessageEvent[] => [
    ...live.of(userId).flatMap((job) => job.present()),
    ...parts.presentElsewhere(userId),
  ];
  /** The editor knows one job at a time: with the end of any it forgets the one that runs, and could not stop it. */
  function remind(): void {
    const running = presentNow().find(({ type }) => type === 'execution_start');
    if (running) outbox.push(running);
  }
  // In the same turn as the subscription: nothing happens in between, so nothing is missing and nothing comes twice.
  const present = presentNow();

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
  // Each one is answered, and the answers wait for a reader.
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
 * Frames of one turn of the event loop leave in one call of the system, of which each takes some 75 µs: of large graphs there are
 * thousands a second, and of many small jobs three or four a job.
 */
function writeTogether(wire: Socket): void {
  if (wire.writableCorked > 0) return;
  wire.cork();
  // No later: a server that stands still must not send them when it is back.
  setImmediate(() => wire.uncork());
}

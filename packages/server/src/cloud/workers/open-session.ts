import { type FromWorker, type ToWorker, WORKER_CLOSE, type WorkerMessages } from '@atelier/contracts';
import type { RawData, WebSocket } from 'ws';

import type { Logger } from '../../platform/log/create-logger.ts';
import {
  type ConnectedWorker,
  forbiddenLabels,
  type WorkerIdentity,
  type WorkerLink,
} from './connected-worker.ts';
import type { Lane, Workers } from './create-workers.ts';
import type { NodeTypeStore } from './node-types/node-types.ts';
import { BadMessage, readMessage } from './read-message.ts';

/** A worker that is silent for two of these and the next, which is 10 to 15 seconds, is disconnected. */
export const BEAT_MS = 5000;
const MAX_MISSED = 2;
/** How long a worker that has connected may take to say hello. */
const HELLO_MS = 10_000;
/** Acknowledgments can be late: the worker only keeps its messages for longer. */
const ACK_MS = 100;
/** The WebSocket close code for an internal error. */
const INTERNAL = 1011;

export interface SessionParts {
  readonly workers: Workers;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly nodeTypes: Pick<NodeTypeStore, 'isWanted' | 'knows' | 'learn'>;
  /** Takes over the attempts that the worker can prove to be its own. */
  readonly takeOver: (attempts: WorkerMessages['hello']['attempts']) => Promise<readonly Takeover[]>;
  /** The reason an administrator gave for keeping jobs away from it. */
  readonly quarantineOf: (identity: WorkerIdentity, name: string) => Promise<string | undefined>;
  readonly onSilent: (identity: WorkerIdentity) => void;
  readonly onChecked: (message: WorkerMessages['checked']) => void;
  readonly onError: (error: unknown) => void;
}

/** An attempt that another server has begun. */
export interface Takeover {
  readonly id: string;
  readonly begin: (lane: Lane | undefined) => void;
}

export type Session = ReturnType<typeof openSession>;

/** Follows one connection of a worker. An invalid message ends the connection, and its attempts run again. */
export function openSession(
  { workers, log, ...parts }: SessionParts,
  { socket, identity, onClose }: { socket: WebSocket; identity: WorkerIdentity; onClose: () => void },
) {
  let worker: ConnectedWorker | undefined;
  let isGivenUp = false;
  let isAdmitting = false;
  /** Messages that came with the hello: a paused socket still emits what it has read. */
  const early: [RawData, boolean][] = [];
  let missed = 0;
  /** How many requests for its node types it has not answered. */
  let openRequests = 0;
  const acks = new Map<string, number>();
  let ackTimer: NodeJS.Timeout | undefined;

  const link: WorkerLink = {
    send: (message: ToWorker) => socket.send(JSON.stringify(message)),
    close: (code, reason) => socket.close(code, reason.slice(0, 120)),
  };
  const helloTimer = setTimeout(() => link.close(WORKER_CLOSE.protocol, 'No hello came.'), HELLO_MS);

  function sendAcks(): void {
    clearTimeout(ackTimer);
    ackTimer = undefined;
    for (const [attempt, number] of acks) link.send({ type: 'ack', attempt, number });
    acks.clear();
  }

  function onAttempt(
    own: ConnectedWorker,
    message: Extract<FromWorker, { readonly attempt: string }>,
    size: number,
  ): void {
    const attempt = own.attempts.get(message.attempt);
    if (!attempt) throw new BadMessage(`This worker has no attempt ${message.attempt}.`);
    const isLast = attempt.take(message, size);
    acks.set(message.attempt, message.number);
    if (isLast) workers.endAttempt(own, message.attempt);
    if (isLast) sendAcks();
    else ackTimer ??= setTimeout(sendAcks, ACK_MS);
  }

  function assertLabels(offer: Pick<WorkerMessages['hello'], 'kind' | 'labels'>): void {
    const forbidden = forbiddenLabels(offer, identity.labels);
    if (forbidden.length === 0) return;
    throw new BadMessage(
      `The token of this worker allows the labels ${identity.labels?.join(', ') || '(none)'}, but not ${forbidden.join(', ')}.`,
      WORKER_CLOSE.refused,
    );
  }

  function onHello(hello: Extract<FromWorker, { readonly type: 'hello' }>): void {
    clearTimeout(helloTimer);
    if (worker) throw new BadMessage('Unexpected second hello message.');
    assertLabels(hello);
    if (hello.ready > hello.slots) throw new BadMessage('More slots are ready than there are.');
    isAdmitting = true;
    socket.pause();
    admit(hello)
      .catch(giveUp)
      .finally(() => {
        isAdmitting = false;
        for (const message of early.splice(0)) take(...message);
        socket.resume();
      });
  }

  async function admit(hello: WorkerMessages['hello']): Promise<void> {
    const quarantine = await parts.quarantineOf(identity, hello.name);
    const strangers = hello.attempts.filter(({ attempt }) => !workers.hasAttempt(attempt));
    const jobs = strangers.length > 0 ? await parts.takeOver(strangers) : [];
    if (socket.readyState !== socket.OPEN) return;
    if (workers.isTaken(hello.instance, identity))
      throw new BadMessage('Another worker has this instance.', WORKER_CLOSE.refused);
    worker = workers.arrive(identity, hello, { link, takenOver: jobs.map(({ id }) => id), quarantine });
    for (const { id, begin } of jobs) begin(workers.laneOf(worker, id));
    log.info({ worker: hello.name, kind: hello.kind, slots: hello.slots }, 'a worker has connected');
    introduce(worker);
  }

  /** A worker gets jobs once its node types are known. */
  function introduce(own: ConnectedWorker): void {
    const { nodeTypes: hash } = own.hello;
    own.isKnown = false;
    if (hash === undefined) {
      if (parts.nodeTypes.isWanted()) workers.load();
      return;
    }
    parts.nodeTypes
      .knows(hash)
      .then((isKnown) => (isKnown ? workers.known(own, hash) : describe()))
      .catch(giveUp);
  }

  function describe(): void {
    openRequests += 1;
    link.send({ type: 'describe' });
  }

  /** The worker has connected again, and what is still on its way here also arrives there. */
  const isReplaced = (): boolean => worker !== undefined && worker.link !== link;

  function giveUp(error: unknown): void {
    if (isGivenUp || isReplaced()) return;
    isGivenUp = true;
    if (!(error instanceof BadMessage)) parts.onError(error);
    const [code, reason] =
      error instanceof BadMessage ? [error.code, error.message] : [INTERNAL, 'The server has failed.'];
    log.warn({ worker: worker?.hello.name, reason }, 'a worker is disconnected');
    link.close(code, reason);
    if (worker) workers.expel(worker);
  }

  function learn(own: ConnectedWorker, { hash, body }: WorkerMessages['node_types']): void {
    if (openRequests === 0) throw new BadMessage('The server did not ask for node types.');
    openRequests -= 1;
    parts.nodeTypes
      .learn(hash, body)
      .then(() => workers.known(own, hash))
      .catch(giveUp);
  }

  function onFree(own: ConnectedWorker, count: number): void {
    if (count > own.hello.slots) throw new BadMessage('More slots are ready than there are.');
    workers.ready(own, count);
  }

  function onMessage(message: FromWorker, size: number): void {
    if (message.type === 'hello') onHello(message);
    else if (!worker) throw new BadMessage('The first message is hello.');
    else if ('attempt' in message) onAttempt(worker, message, size);
    else if (message.type === 'ready') onFree(worker, message.count);
    else if (message.type === 'draining') worker.isDraining = true;
    else if (message.type === 'status') workers.status(worker, message);
    else if (message.type === 'node_types') learn(worker, message);
    else if (message.type === 'checked') parts.onChecked(message);
    else {
      assertLabels({ ...message, kind: worker.hello.kind });
      worker.hello = { ...worker.hello, ...message, type: 'hello' };
      introduce(worker);
    }
  }

  function take(data: RawData, isBinary: boolean): void {
    if (isGivenUp || isReplaced()) return;
    try {
      onMessage(readMessage(data, isBinary), (data as Buffer).length);
    } catch (error) {
      giveUp(error);
    }
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    missed = 0;
    if (isAdmitting) early.push([data, isBinary]);
    else take(data, isBinary);
  });
  socket.on('pong', () => {
    missed = 0;
  });
  // The frame is too large or malformed. A broken connection emits no error here.
  socket.on('error', ({ message }) => giveUp(new BadMessage(`A frame cannot be read: ${message}.`)));
  socket.on('close', (code, reason) => {
    clearTimeout(helloTimer);
    clearTimeout(ackTimer);
    onClose();
    if (!worker) return;
    log.info({ worker: worker.hello.name, code, reason: reason.toString() }, 'a worker has disconnected');
    workers.leave(worker, link);
  });

  return {
    /** Called every `BEAT_MS`. */
    beat(): void {
      if (missed >= MAX_MISSED) {
        if (!isReplaced()) {
          log.warn({ worker: worker?.hello.name }, 'a worker does not answer');
          parts.onSilent(identity);
        }
        socket.terminate();
        return;
      }
      missed += 1;
      socket.ping();
    },
    close: link.close,
  };
}

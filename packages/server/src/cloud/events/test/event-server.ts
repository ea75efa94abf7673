import { once } from 'node:events';
import Fastify, { type FastifyRequest, LogController } from 'fastify';
import { type ClientOptions, WebSocket } from 'ws';

import { createInProcessBus } from '../../../platform/bus/in-process-bus.ts';
import { systemClock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Actor } from '../../../platform/http/actor.ts';
import { handleError } from '../../../platform/http/error-handler.ts';
import type { App } from '../../../platform/http/route-config.ts';
import type { QueueCounts } from '../../queue/job-queue.ts';
import { createEvents, type Events } from '../create-events.ts';
import type { JobRecord } from '../live-jobs.ts';
import { isSocketUpgrade } from '../socket.routes.ts';
import type { UserEvent } from '../user-event.ts';

type Times = NonNullable<Parameters<typeof createEvents>[0]['times']>;

interface Options {
  readonly streamsPerUser?: number;
  readonly times?: Times;
  readonly hearsOthers?: () => boolean;
  /** Called while a new socket or stream waits for its first word. */
  readonly whileReading?: () => void | Promise<void>;
}

export interface EventServer extends AsyncDisposable {
  readonly events: Events;
  readonly bus: ReturnType<typeof createInProcessBus<UserEvent>>;
  readonly app: App;
  readonly url: string;
  /** Users by key; take one away and it is revoked. The user `banned` is. */
  readonly keys: Map<string, string>;
  readonly counts: Map<string, QueueCounts>;
  /** Rows of jobs by `<user>/<job>`. */
  readonly rows: Map<string, JobRecord>;
  readonly logged: string[];
  connect(query?: string, options?: ClientOptions): Promise<Client>;
}

/** The events of a server behind a real port: users are ada and bob, with keys of their names. */
export async function startEventServer(options: Options = {}): Promise<EventServer> {
  const { streamsPerUser = 10, times, hearsOthers = () => true, whileReading = () => undefined } = options;
  const keys = new Map([
    ['key-ada', 'ada'],
    ['key-bob', 'bob'],
    ['key-banned', 'banned'],
  ]);
  const counts = new Map<string, QueueCounts>();
  const rows = new Map<string, JobRecord>();
  const logged: string[] = [];
  const fail = (error: unknown): never => {
    throw error;
  };
  const bus = createInProcessBus<UserEvent>(fail);

  const recognize = async (credential: string): Promise<Actor> => {
    const userId = keys.get(credential);
    if (userId === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    if (userId === undefined) throw new AppError('auth.invalid', 'The credential is not valid.');
    return await Promise.resolve({ userId, email: '', name: userId, role: 'user' });
  };
  const authenticate = async ({ headers, query }: FastifyRequest): Promise<Actor> => {
    const { token } = query as { token?: string };
    const credential = (token || headers['x-api-key']) ?? /^session=(.+)$/.exec(headers.cookie ?? '')?.[1];
    if (typeof credential !== 'string') throw new AppError('auth.required', 'This needs a credential.');
    return await recognize(credential);
  };
  const events = createEvents({
    bus,
    clock: systemClock,
    features: { supports_preview_metadata: true },
    streamsPerUser,
    publicUrl: undefined,
    authenticate,
    async countsOf(userId) {
      await whileReading();
      return counts.get(userId) ?? { waiting: 0, running: 0 };
    },
    async keptEventsOf(userId, jobId) {
      const row = rows.get(`${userId}/${jobId}`);
      await whileReading();
      return row;
    },
    hearsOthers,
    onError: fail,
    ...(times && { times }),
  });

  const stream = { write: (line: string) => logged.push(line) };
  const app: App = Fastify({
    logger: { level: 'trace', stream },
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    http: { shouldUpgradeCallback: isSocketUpgrade },
  });
  app.setErrorHandler(handleError);
  app.decorateRequest('actor', undefined);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access === 'user') request.actor = await authenticate(request);
  });
  app.post('/echo', async (request) => await Promise.resolve(request.body));
  await events.routes(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    events,
    bus,
    app,
    url,
    keys,
    counts,
    rows,
    logged,
    async connect(query = 'token=key-ada', clientOptions = {}) {
      const client = watch(new WebSocket(`${url.replace('http', 'ws')}/ws?${query}`, clientOptions));
      await once(client.socket, 'open');
      return client;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
    },
  };
}

export interface Message {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A socket and what it has received, in order: messages as they are, binary frames as buffers. */
export interface Client {
  readonly socket: WebSocket;
  readonly received: readonly (Message | Buffer)[];
  /** Waits until something like this has come. */
  until(matches: (frame: Message | Buffer) => boolean): Promise<void>;
  /** How it closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export function watch(socket: WebSocket): Client {
  const received: (Message | Buffer)[] = [];
  const closing = Promise.withResolvers<{ code: number; reason: string }>();
  let arrived = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, isBinary) => {
    received.push(isBinary ? data : (JSON.parse(data.toString()) as Message));
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  socket.on('close', (code, reason) => closing.resolve({ code, reason: reason.toString() }));
  socket.on('error', () => undefined);
  return {
    socket,
    received,
    async until(matches) {
      while (!received.some(matches)) await arrived.promise;
    },
    closed: closing.promise,
  };
}

/** The types of what was received: binary frames by their number. */
export function typesOf({ received }: Client): (string | number)[] {
  return received.map((frame) => (Buffer.isBuffer(frame) ? frame.readUInt32BE(0) : frame.type));
}

export function isType(type: string): (frame: Message | Buffer) => boolean {
  return (frame) => !Buffer.isBuffer(frame) && frame.type === type;
}

/** `executing` without a node. */
export function isOver(frame: Message | Buffer): boolean {
  return !Buffer.isBuffer(frame) && frame.type === 'executing' && frame.data['node'] === null;
}

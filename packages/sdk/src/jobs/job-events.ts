import { AtelierError, ConnectionError } from '../errors.ts';
import { notAtelierError } from '../http/answer.ts';
import { createDeadline, sleep } from '../http/deadline.ts';
import { errorOf } from '../http/error-of.ts';
import { retryDelay } from '../http/retry.ts';
import { path } from '../http/server-address.ts';
import { type Transport, toAtelierError } from '../http/transport.ts';
import type { JobMessages, PreviewData } from '../wire.ts';
import { createEventParser, type ServerSentEvent } from './event-stream.ts';

interface AttemptEvent {
  /** The number of the attempt. A job is started again if its server or worker is lost. */
  readonly attempt: number;
}

/** Messages about a running job, by `type`. */
type MessageEvents = {
  readonly [Type in keyof JobMessages]: AttemptEvent & {
    readonly type: Type;
    readonly data: JobMessages[Type];
  };
}[keyof JobMessages];

/** A preview of running work, or a picture that a node sends to its client (`picture`). */
interface PictureEvent extends AttemptEvent {
  readonly type: 'preview' | 'picture';
  readonly data: PreviewData;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A sentence for people, such as why a job is waiting. */
interface NotificationEvent extends AttemptEvent {
  readonly type: 'notification';
  readonly data: { readonly value: string; readonly prompt_id: string };
}

export type JobEvent = MessageEvents | PictureEvent | NotificationEvent;

export interface EventsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Includes pictures of running work. */
  readonly previews?: boolean | undefined;
  /** How long to try to reconnect to a lost server. Default: 10 minutes. */
  readonly reconnectMs?: number | undefined;
}

interface FollowOptions extends EventsOptions {
  /** Whether to wait while the account has too many open streams, instead of failing. */
  readonly waitsForRoom?: boolean | undefined;
}

/** The server sends something at least every 15 seconds, at minimum a heartbeat. */
export const IDLE_TIMEOUT_MS = 60_000;
const RECONNECT_MS = 600_000;

/**
 * The events of a job until it ends. After a lost connection it resumes after the last event received, from any server; for a finished job
 * the events are replayed from its database row.
 */
export async function* followJob(
  transport: Transport,
  jobId: string,
  { signal, previews, reconnectMs = RECONNECT_MS, waitsForRoom = true }: FollowOptions = {},
): AsyncGenerator<JobEvent> {
  const reader = createReader();
  let lostAt: number | undefined;
  for (let failures = 0; ; ) {
    const deadline = createDeadline(IDLE_TIMEOUT_MS, signal);
    try {
      const response = await transport.open(
        path`/api/jobs/${jobId}/events`,
        {
          headers: {
            accept: 'text/event-stream',
            ...(reader.lastId() === undefined ? {} : { 'last-event-id': reader.lastId() as string }),
          },
          signal: deadline.signal,
        },
        { previews: previews ? true : undefined },
      );
      if (!response.ok) throw await errorOf(response);
      if (response.status === 204 || !response.body) return;
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw notAtelierError(response, 'it is not a stream of events');
      }
      for await (const event of readEvents(response.body)) {
        deadline.touch();
        lostAt = undefined;
        failures = 0;
        if (event === undefined) continue;
        const message = reader.read(event);
        if (message === 'end') return;
        if (message) yield message;
      }
      throw new ConnectionError('The server has ended the stream of the job.');
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toAtelierError(deadline.signal.aborted ? deadline.signal.reason : error);
      lostAt ??= Date.now();
      const isFull = failure.code === 'cloud.too_many_streams' && !waitsForRoom;
      if (!failure.isRetryable || isFull || Date.now() - lostAt > reconnectMs) throw failure;
      await sleep(retryDelay(failures, failure), signal);
      failures += 1;
    } finally {
      deadline.end();
    }
  }
}

/** The events of a body; `undefined` for a chunk that completes none. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | undefined, void> {
  const parse = createEventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = parse(decoder.decode(part.value, { stream: true }));
      if (events.length === 0) yield undefined;
      yield* events;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Turns messages into events and drops duplicates. */
function createReader() {
  let lastId: string | undefined;
  let attempt = 1;
  let number = 0;
  /** Progress state, which the server repeats after a reconnect. */
  const states = new Map<string, string>();

  function isNews({ type, data, id }: ServerSentEvent): boolean {
    const place = /^(\d+)-(\d+)$/.exec(id ?? '');
    if (!place) {
      if (!type.startsWith('progress')) return true;
      const isRepeated = states.get(type) === data;
      states.set(type, data);
      return !isRepeated;
    }
    const [itsAttempt, itsNumber] = [Number(place[1]), Number(place[2])];
    if (itsAttempt < attempt || (itsAttempt === attempt && itsNumber <= number)) return false;
    if (itsAttempt > attempt) states.clear();
    [attempt, number, lastId] = [itsAttempt, itsNumber, id];
    return true;
  }

  return {
    lastId: () => lastId,
    read(event: ServerSentEvent): JobEvent | 'end' | undefined {
      if (!isNews(event)) return undefined;
      const data = parseData(event);
      if (event.type === 'executing' && data['node'] === null) return 'end';
      if (event.type !== 'preview' && event.type !== 'picture') {
        return { type: event.type, data, attempt } as unknown as JobEvent;
      }
      return { ...toPictureEvent(event.type, data), attempt };
    },
  };
}

export function toPictureEvent(
  type: PictureEvent['type'],
  { image, ...about }: Readonly<Record<string, unknown>>,
): Omit<PictureEvent, 'attempt'> {
  return { type, data: about as unknown as PreviewData, bytes: fromBase64(String(image)) };
}

export function parseData({ data }: ServerSentEvent): Record<string, unknown> {
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch (error) {
    throw new AtelierError('client.answer', 'The server sent an event that is not JSON.', { cause: error });
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

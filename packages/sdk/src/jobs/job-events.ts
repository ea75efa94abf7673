import { AtelierError, ConnectionError } from '../errors.ts';
import { notAtelier } from '../http/answer.ts';
import { createDeadline, sleep } from '../http/deadline.ts';
import { errorOf } from '../http/error-of.ts';
import { pauseBefore } from '../http/retry.ts';
import { path } from '../http/server-address.ts';
import { type Transport, toAtelierError } from '../http/transport.ts';
import type { JobMessages, PreviewData } from '../wire.ts';
import { createEventParser, type ServerSentEvent } from './event-stream.ts';

interface Told {
  /** Counts how often the job was begun. It is begun again when its server or worker is lost. */
  readonly attempt: number;
}

/** What the nodes of a job tell, by `type`. */
type MessageEvents = {
  readonly [Type in keyof JobMessages]: Told & { readonly type: Type; readonly data: JobMessages[Type] };
}[keyof JobMessages];

/** A picture of work under way, or one that a node sends to its client (`picture`). */
interface PictureEvent extends Told {
  readonly type: 'preview' | 'picture';
  readonly data: PreviewData;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A plain sentence for people, such as why a job waits. */
interface NotificationEvent extends Told {
  readonly type: 'notification';
  readonly data: { readonly value: string; readonly prompt_id: string };
}

export type JobEvent = MessageEvents | PictureEvent | NotificationEvent;

export interface EventsOptions {
  readonly signal?: AbortSignal | undefined;
  /** Also pictures of work under way. */
  readonly previews?: boolean | undefined;
  /** For how long a lost server is looked for. Default: 10 minutes. */
  readonly reconnectMs?: number | undefined;
}

interface FollowOptions extends EventsOptions {
  /** While the account has too many streams open; otherwise that is a failure. */
  readonly waitsForRoom?: boolean | undefined;
}

/** The server says something at least every 15 seconds, if only that it is there. */
export const SILENCE_MS = 60_000;
const RECONNECT_MS = 600_000;

/**
 * What happens to a job, to its end. A lost connection is taken up again behind the last event that came, at whichever server answers; a job
 * that has ended tells its story from the row.
 */
export async function* followJob(
  transport: Transport,
  jobId: string,
  { signal, previews, reconnectMs = RECONNECT_MS, waitsForRoom = true }: FollowOptions = {},
): AsyncGenerator<JobEvent> {
  const reader = createReader();
  let lostAt: number | undefined;
  for (let failures = 0; ; ) {
    const deadline = createDeadline(SILENCE_MS, signal);
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
        throw notAtelier(response, 'it is not a stream of events');
      }
      for await (const event of readEvents(response.body)) {
        deadline.touch();
        lostAt = undefined;
        failures = 0;
        if (event === undefined) continue;
        const told = reader.read(event);
        if (told === 'end') return;
        if (told) yield told;
      }
      throw new ConnectionError('The server has ended the stream of the job.');
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toAtelierError(deadline.signal.aborted ? deadline.signal.reason : error);
      lostAt ??= Date.now();
      const isFull = failure.code === 'cloud.too_many_streams' && !waitsForRoom;
      if (!failure.isRetryable || isFull || Date.now() - lostAt > reconnectMs) throw failure;
      await sleep(pauseBefore(failures, failure), signal);
      failures += 1;
    } finally {
      deadline.end();
    }
  }
}

/** The events of a body; `undefined` for a piece that completes none. */
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

/** Turns messages into events, and leaves out repeats. */
function createReader() {
  let lastId: string | undefined;
  let attempt = 1;
  let number = 0;
  /** How things stand, which the server repeats after a reconnect. */
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

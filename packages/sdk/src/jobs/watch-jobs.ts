import { type AtelierError, ConnectionError } from '../errors.ts';
import { createDeadline, sleep } from '../http/deadline.ts';
import { errorOf } from '../http/error-of.ts';
import { retryDelay } from '../http/retry.ts';
import { type Transport, toAtelierError } from '../http/transport.ts';
import type { ServerSentEvent } from './event-stream.ts';
import { IDLE_TIMEOUT_MS, type JobEvent, parseData, readEvents, toPictureEvent } from './job-events.ts';

type WithJob<Event> = Event extends JobEvent ? Omit<Event, 'attempt'> & { readonly jobId: string } : never;

/** The events of your jobs, by `type`. */
export type JobsEvent =
  /** Connected or reconnected. Earlier events are not replayed: read the lists. */
  | { readonly type: 'connected' }
  /** The connection was lost or could not be opened. It is retried. */
  | { readonly type: 'disconnected'; readonly error: AtelierError }
  /** A job was added or removed: how many are waiting and running now. */
  | { readonly type: 'status'; readonly data: { readonly queue_remaining: number } }
  /** A job has ended; read the job for its result. */
  | { readonly type: 'ended'; readonly jobId: string }
  | WithJob<JobEvent>;

export interface WatchJobsOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Includes pictures of running work. */
  readonly previews?: boolean | undefined;
}

/** Never ends by itself. Reconnects as often as needed; throws errors that waiting cannot fix. */
export async function* watchJobs(
  transport: Transport,
  { signal, previews }: WatchJobsOptions = {},
): AsyncGenerator<JobsEvent, never> {
  for (let failures = 0; ; ) {
    const deadline = createDeadline(IDLE_TIMEOUT_MS, signal);
    try {
      const response = await transport.open(
        '/api/jobs/events',
        { headers: { accept: 'text/event-stream' }, signal: deadline.signal },
        { previews: previews ? true : undefined },
      );
      if (!response.ok || !response.body) throw await errorOf(response);
      yield { type: 'connected' };
      for await (const event of readEvents(response.body)) {
        deadline.touch();
        failures = 0;
        if (event) yield toEvent(event);
      }
      throw new ConnectionError('The server has ended the stream of your jobs.');
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toAtelierError(deadline.signal.aborted ? deadline.signal.reason : error);
      if (!failure.isRetryable) throw failure;
      yield { type: 'disconnected', error: failure };
      await sleep(retryDelay(failures, failure), signal);
      failures += 1;
    } finally {
      deadline.end();
    }
  }
}

function toEvent(event: ServerSentEvent): JobsEvent {
  const data = parseData(event);
  const { type } = event;
  if (type === 'status') return { type, data: { queue_remaining: Number(data['queue_remaining']) } };
  const jobId = String(data['prompt_id']);
  if (type === 'executing' && data['node'] === null) return { type: 'ended', jobId };
  if (type === 'preview' || type === 'picture') return { ...toPictureEvent(type, data), jobId };
  return { type, data, jobId } as unknown as JobsEvent;
}

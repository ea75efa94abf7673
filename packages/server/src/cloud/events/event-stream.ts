import type { ServerResponse } from 'node:http';

import type { KeptEvent } from './live-jobs.ts';
import { endMarker, keptMessage } from './messages.ts';
import { createOutbox } from './outbox.ts';
import type { MessageEvent, PictureEvent, PreviewEvent } from './user-event.ts';

/** The id of the end marker. A browser that has received it asks again, and learns that there is nothing more. */
const END_ID = 'end';

interface Opened {
  readonly raw: ServerResponse;
  readonly jobId: string;
  readonly lastId: string | undefined;
}

export type EventStream = ReturnType<typeof openEventStream>;

/** Starts an answer of Server-Sent Events. */
export function openTextStream(raw: ServerResponse) {
  let bufferedBefore = 0;
  const isOpen = (): boolean => !raw.writableEnded && !raw.destroyed;
  const outbox = createOutbox({
    buffered: () => raw.writableLength,
    send(event) {
      if (!isOpen()) return;
      if (event.kind === 'message') raw.write(toText(event, event.id));
      else if (event.kind !== 'text') raw.write(toText(pictureMessage(event), undefined));
    },
    onceDrained: (callback) => raw.once('drain', callback),
    giveUp: () => raw.destroy(),
  });

  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  outbox.open([]);

  return {
    push: outbox.push,
    /** Keeps the connection open through proxies, and closes it when the reader has read nothing since the last beat. */
    beat(): void {
      const buffered = raw.writableLength;
      if (bufferedBefore > 0 && buffered >= bufferedBefore) raw.destroy();
      bufferedBefore = buffered;
      if (isOpen()) raw.write(':\n\n');
    },
    end(last: string): void {
      if (isOpen()) raw.end(last);
    },
  };
}

/** The events of one job. */
export function openEventStream({ raw, jobId, lastId }: Opened) {
  let last = lastId;
  const stream = openTextStream(raw);

  function push(event: MessageEvent | PreviewEvent | PictureEvent): void {
    if (event.kind === 'message') last = event.id ?? last;
    stream.push(event);
  }

  return {
    push,
    beat: stream.beat,
    /** Whether this is the first kept event after the last one that was sent. */
    isNext(id: string): boolean {
      const [before, place] = [placeOf(last ?? ''), placeOf(id)];
      if (place?.attempt !== before?.attempt) return place?.number === 1;
      return place?.number === (before?.number ?? 0) + 1;
    },
    /** Sends the events after the last one that the reader has. */
    replay(events: readonly KeptEvent[]): void {
      for (const event of eventsAfter(events, last)) push(keptMessage(jobId, event));
    },
    finish: () => stream.end(toText(endMarker(jobId), END_ID)),
  };
}

/** After an id of another attempt, all events of this one are new. */
function eventsAfter(events: readonly KeptEvent[], lastId: string | undefined): readonly KeptEvent[] {
  const last = placeOf(lastId ?? '');
  if (!last) return events;
  return events.filter(({ id }) => {
    const place = placeOf(id);
    return place?.attempt !== last.attempt || place.number > last.number;
  });
}

/** Whether a reader has received everything about an ended job. */
export function hasAll(events: readonly KeptEvent[], lastId: string | undefined): boolean {
  return lastId === END_ID || (events.length > 0 && eventsAfter(events, lastId).length === 0);
}

function placeOf(id: string): { readonly attempt: number; readonly number: number } | undefined {
  const [, attempt, number] = /^(\d+)-(\d+)$/.exec(id) ?? [];
  return attempt === undefined ? undefined : { attempt: Number(attempt), number: Number(number) };
}

/** Streams carry text only: the metadata of the picture, and the picture in base64 as `image`. */
function pictureMessage({ kind, about, bytes }: PreviewEvent | PictureEvent) {
  return { type: kind, data: JSON.stringify({ ...about, image: bytes.toBase64() }) };
}

function toText({ type, data }: Pick<MessageEvent, 'type' | 'data'>, id: string | undefined): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
}

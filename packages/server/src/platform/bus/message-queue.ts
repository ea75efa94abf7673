import {
  type BusMessage,
  type Envelope,
  type EventsMessage,
  MAX_ENVELOPE_BYTES,
  NO_USER,
} from './envelopes.ts';
import type { Sent } from './link.ts';

const MAX_QUEUED = 10_000;
const QUEUE_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** What may be left out waits in a room of its own, so small that what must not be left out is hardly kept waiting. */
const SPARE_BYTES = 1024 * 1024;
/** Each envelope costs every server some work, and events of a job come close together. So long they are gathered, … */
const GATHER_MS = 10;
/** … and so far apart are envelopes of what may wait. */
const APART_MS = 25;
/** What an envelope has around its events, and around each. */
const ENVELOPE_BYTES = 200;
const EVENT_BYTES = 15;
const CLOSE_MS = 2000;

/** An event on its way. */
export interface Said {
  readonly text: string;
  readonly bytes?: Uint8Array;
  /** It may be left out when there is too much, and a newer one of this name and user takes its place while it waits. */
  readonly replaces?: string;
}

interface Parts {
  readonly from: string;
  /** Events that wait together travel together, up to this. */
  readonly batchBytes: number;
  readonly send: (envelope: Envelope) => Promise<Sent>;
  readonly onLeftOut: (what: 'picture' | 'message') => void;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly message: BusMessage;
  readonly bytes: number;
  readonly replaces?: string;
  /** `soon`: as soon as the last envelope is a while ago. Events without it are gathered for a moment. */
  readonly pace?: 'now' | 'soon';
}

/** Sends what is said in order, one envelope at a time. */
export function createMessageQueue({ from, batchBytes, send, onLeftOut, onError }: Parts) {
  const waiting: Waiting[] = [];
  /** Those that may be left out, the oldest first. */
  const spare = new Map<string, Waiting>();
  let waitingBytes = 0;
  let spareBytes = 0;
  let number = 0;
  /** The envelope that is being sent. It stays when the connection is lost, and is sent again on the next. */
  let unsent: Envelope | undefined;
  let isOpen = false;
  let isFull = false;
  let sending: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;

  const isSending = (): boolean => sending !== undefined;

  function add(item: Waiting): void {
    if (item.bytes + ENVELOPE_BYTES > MAX_ENVELOPE_BYTES) {
      onError(new Error('A message is too large for other servers and is left out.'));
      return;
    }
    if (item.replaces !== undefined) {
      remove(spare.get(item.replaces));
      while (spareBytes + item.bytes > SPARE_BYTES && spare.size > 0) leaveOut(oldestSpare());
    }
    while (isTooMuch(item) && spare.size > 0) leaveOut(oldestSpare());
    if (isTooMuch(item)) {
      if (!isFull)
        onError(new Error('Too much waits to be told to other servers. What comes now is left out.'));
      isFull = true;
      onLeftOut(item.replaces === undefined ? 'message' : 'picture');
      return;
    }
    waiting.push(item);
    waitingBytes += item.bytes;
    if (item.replaces !== undefined) {
      spare.set(item.replaces, item);
      spareBytes += item.bytes;
    }
    sendWhen(item);
  }

  function sendWhen({ pace }: Waiting): void {
    const apartMs = sentAt + APART_MS - performance.now();
    if (pace === 'now' || waitingBytes > batchBytes || (pace === 'soon' && apartMs <= 0)) wake();
    else if (pace === 'soon' || !gathering) {
      clearTimeout(gathering);
      gathering = setTimeout(wake, pace === 'soon' ? apartMs : Math.max(GATHER_MS, apartMs)).unref();
    }
  }

  /** Half of the room is for what is small, so that pictures of one user leave out nothing of others. */
  function isTooMuch({ bytes }: Waiting): boolean {
    const room = bytes > SMALL_BYTES ? QUEUE_BYTES / 2 : QUEUE_BYTES;
    return waiting.length >= MAX_QUEUED || waitingBytes + bytes > room;
  }

  const oldestSpare = (): Waiting | undefined => spare.values().next().value;

  function leaveOut(item: Waiting | undefined): void {
    remove(item);
    onLeftOut('picture');
  }

  function remove(item: Waiting | undefined): void {
    if (!item) return;
    waiting.splice(waiting.indexOf(item), 1);
    noteGone(item);
  }

  function noteGone({ bytes, replaces }: Waiting): void {
    waitingBytes -= bytes;
    if (replaces !== undefined && spare.delete(replaces)) spareBytes -= bytes;
  }

  function next(): Envelope | undefined {
    const first = take();
    if (!first) return undefined;
    number += 1;
    if (!('events' in first.message)) return { from, number, ...first.message };
    const events = [...first.message.events];
    let bytes = ENVELOPE_BYTES + first.bytes;
    for (;;) {
      const following = waiting[0];
      if (!following || bytes + following.bytes > batchBytes) break;
      if (!maySharePlace(first.message, following.message)) break;
      take();
      events.push(...following.message.events);
      number += 1;
      bytes += following.bytes;
    }
    return { from, number, ...first.message, events };
  }

  function take(): Waiting | undefined {
    const first = waiting.shift();
    if (first) noteGone(first);
    else isFull = false;
    return first;
  }

  async function sendAll(): Promise<void> {
    while (isOpen) {
      unsent ??= next();
      if (!unsent) return;
      if ((await send(unsent)) === 'lost') {
        isOpen = false;
        return;
      }
      unsent = undefined;
    }
  }

  function wake(): void {
    clearTimeout(gathering);
    gathering = undefined;
    if (!isOpen || sending) return;
    sentAt = performance.now();
    sending = sendAll()
      .catch(onError)
      .finally(() => {
        sending = undefined;
        if (unsent || waiting.length > 0) wake();
      });
  }

  return {
    /** Drops the message when disconnected. Each new connection starts with a current one. */
    say(message: BusMessage): void {
      if (!isOpen) return;
      add({ message, bytes: Buffer.byteLength(JSON.stringify(message)), pace: 'now' });
    },
    /** Waits for a connection if there is none. */
    tell(userId: string, { text, bytes: attached, replaces }: Said, { toAll = false } = {}): void {
      const bytes = EVENT_BYTES + userId.length + Buffer.byteLength(text) + (attached?.length ?? 0);
      const message: EventsMessage = {
        events: [[userId, text]],
        ...(attached && { bytes: attached }),
        ...(toAll && userId !== NO_USER && { toAll }),
      };
      const pace = userId === NO_USER ? 'soon' : 'now';
      const name = replaces !== undefined && { replaces: `${userId} ${replaces}` };
      add({ message, bytes, ...(toAll && { pace }), ...name });
    },
    /** Forgets the events that wait: they are too old. */
    dropEvents(): void {
      const others = waiting.filter(({ message }) => !('events' in message));
      waiting.splice(0, waiting.length, ...others);
      waitingBytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
      spare.clear();
      spareBytes = 0;
    },
    /** There is a connection again. This is said first. */
    open(first: BusMessage): void {
      isOpen = true;
      waiting.unshift({ message: first, bytes: 0 });
      wake();
    },
    /** Waits a moment for what is still to be sent. */
    async close(): Promise<void> {
      wake();
      const deadline = performance.now() + CLOSE_MS;
      while (isSending() && performance.now() < deadline) await sending;
      isOpen = false;
    },
  };
}

/** Whether the events of both may travel in one envelope. */
function maySharePlace(first: EventsMessage, following: BusMessage): following is EventsMessage {
  return 'events' in following && !first.bytes && !following.bytes && first.toAll === following.toAll;
}

import {
  type BusMessage,
  type Envelope,
  type EventsMessage,
  MAX_ENVELOPE_BYTES,
  NO_USER,
} from './envelopes.ts';
import type { Sent } from './link.ts';

const MAX_QUEUED = 10_000;
const MAX_QUEUE_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** Room for droppable events. */
const SPARE_BYTES = 1024 * 1024;
/** How long events are gathered: each envelope costs every server some work, and events of a job come close together. */
const GATHER_MS = 10;
/** The shortest time between envelopes of events that may wait. */
const APART_MS = 25;
/** Overhead of an envelope, and of each event in it. */
const ENVELOPE_BYTES = 200;
const EVENT_BYTES = 15;
const CLOSE_MS = 2000;

/** An encoded event for other servers. */
export interface OutgoingEvent {
  readonly text: string;
  readonly bytes?: Uint8Array;
  /** Droppable under load; replaced by a newer event of this name and user while it waits. */
  readonly replaces?: string;
}

interface Parts {
  readonly from: string;
  readonly batchBytes: number;
  readonly send: (envelope: Envelope) => Promise<Sent>;
  readonly onLeftOut: (what: 'picture' | 'message') => void;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly message: BusMessage;
  readonly bytes: number;
  readonly replaces?: string;
  /** `soon`: `APART_MS` after the last envelope. Events without a pace are gathered first. */
  readonly pace?: 'now' | 'soon';
}

/** Sends messages in order, one envelope at a time. */
export function createMessageQueue({ from, batchBytes, send, onLeftOut, onError }: Parts) {
  const waiting: Waiting[] = [];
  /** Droppable events, the oldest first. */
  const spare = new Map<string, Waiting>();
  let waitingBytes = 0;
  let spareBytes = 0;
  let number = 0;
  /** The envelope that is being sent. It is sent again when the connection was lost. */
  let unsent: Envelope | undefined;
  let isOpen = false;
  let isFull = false;
  let sending: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  /** When the next envelope is sent. */
  let dueAt = Number.POSITIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;

  function add(item: Waiting): void {
    if (item.bytes + ENVELOPE_BYTES > MAX_ENVELOPE_BYTES) {
      onError(new Error('A message is too large for other servers and is dropped.'));
      return;
    }
    if (item.replaces !== undefined) {
      remove(spare.get(item.replaces));
      while (spareBytes + item.bytes > SPARE_BYTES && spare.size > 0) leaveOut(oldestSpare());
    }
    while (isTooMuch(item) && spare.size > 0) leaveOut(oldestSpare());
    if (isTooMuch(item)) {
      if (!isFull) onError(new Error('Too many messages wait for other servers. New ones are dropped.'));
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
    sendAt(dueAtOf(item));
  }

  function dueAtOf({ pace }: Waiting): number {
    if (pace === 'now') return Number.NEGATIVE_INFINITY;
    const apartAt = sentAt + APART_MS;
    return pace === 'soon' ? apartAt : Math.max(performance.now() + GATHER_MS, apartAt);
  }

  function sendAt(at: number): void {
    dueAt = Math.min(dueAt, at);
    if (sending) return;
    const left = waitingBytes > batchBytes ? 0 : dueAt - performance.now();
    if (left <= 0) wake();
    else if (at === dueAt) {
      clearTimeout(gathering);
      gathering = setTimeout(wake, left).unref();
    }
  }

  /** Half of the room is reserved for small messages, so that one user's pictures do not displace others' events. */
  function isTooMuch({ bytes }: Waiting): boolean {
    const room = bytes > SMALL_BYTES ? MAX_QUEUE_BYTES / 2 : MAX_QUEUE_BYTES;
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

  /** Sends what waits now. What comes meanwhile is gathered for the next envelope. */
  async function sendWaiting(): Promise<void> {
    const upTo = number + waiting.length;
    while (isOpen) {
      unsent ??= number < upTo ? next() : undefined;
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
    if (!isOpen || sending) return;
    sentAt = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    sending = sendWaiting()
      .catch(onError)
      .finally(() => {
        sending = undefined;
        if (unsent) wake();
        else if (waiting.length > 0) sendAt(dueAt);
      });
  }

  return {
    /** Drops the message when disconnected. Each new connection starts with a current one. */
    say(message: BusMessage): void {
      if (!isOpen) return;
      add({ message, bytes: Buffer.byteLength(JSON.stringify(message)), pace: 'now' });
    },
    /** Waits for a connection if there is none. */
    tell(userId: string, { text, bytes: attached, replaces }: OutgoingEvent, { toAll = false } = {}): void {
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
    /** Drops the events that wait or are being sent, because they are too old. */
    dropEvents(): void {
      if (unsent && 'events' in unsent) unsent = undefined;
      const others = waiting.filter(({ message }) => !('events' in message));
      waiting.splice(0, waiting.length, ...others);
      waitingBytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
      spare.clear();
      spareBytes = 0;
    },
    /** Called with the first message of a new connection. */
    open(first: BusMessage): void {
      isOpen = true;
      waiting.unshift({ message: first, bytes: 0 });
      wake();
    },
    /** Waits a moment for what is not sent yet. */
    async close(): Promise<void> {
      const deadline = performance.now() + CLOSE_MS;
      const hasMore = (): boolean => isOpen && (sending !== undefined || waiting.length > 0);
      while (hasMore() && performance.now() < deadline) {
        wake();
        await sending;
      }
      isOpen = false;
    },
  };
}

/** Whether both may share an envelope. */
function maySharePlace(first: EventsMessage, following: BusMessage): following is EventsMessage {
  return 'events' in following && !first.bytes && !following.bytes && first.toAll === following.toAll;
}

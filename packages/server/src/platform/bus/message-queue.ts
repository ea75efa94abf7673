import {
  type BusMessage,
  type Envelope,
  MAX_ENVELOPE_BYTES,
  PAYLOAD_BYTES,
  toPayloads,
} from './envelopes.ts';

const MAX_QUEUED = 10_000;
const QUEUE_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** What an envelope has around its events. */
const ENVELOPE_BYTES = 200;
const CLOSE_MS = 2000;

interface Parts {
  readonly from: string;
  readonly notify: (payload: string) => Promise<'sent' | 'refused' | 'lost'>;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly message: BusMessage;
  readonly bytes: number;
}

/** Sends what is said in order, one envelope at a time. Events that wait together travel together. */
export function createMessageQueue({ from, notify, onError }: Parts) {
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let number = 0;
  /** The envelope that is being sent. It stays when the connection is lost, and is sent again on the next. */
  let unsent: Envelope | undefined;
  let isOpen = false;
  let isFull = false;
  let sending: Promise<void> | undefined;

  const isSending = (): boolean => sending !== undefined;

  function add(message: BusMessage, bytes: number): void {
    // Half of the room is for what is small, so that pictures of one user leave out nothing of others.
    const room = bytes > SMALL_BYTES ? QUEUE_BYTES / 2 : QUEUE_BYTES;
    if (waiting.length >= MAX_QUEUED || waitingBytes + bytes > room) {
      if (!isFull)
        onError(new Error('Too much waits to be told to other servers. What comes now is left out.'));
      isFull = true;
      return;
    }
    waiting.push({ message, bytes });
    waitingBytes += bytes;
    wake();
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
      if (!following || !('events' in following.message) || bytes + following.bytes > PAYLOAD_BYTES) break;
      take();
      events.push(...following.message.events);
      bytes += following.bytes;
    }
    return { from, number, events };
  }

  function take(): Waiting | undefined {
    const first = waiting.shift();
    waitingBytes -= first?.bytes ?? 0;
    if (!first) isFull = false;
    return first;
  }

  async function send(): Promise<void> {
    while (isOpen) {
      unsent ??= next();
      if (!unsent) return;
      if ((await sendLetter(unsent)) === 'lost') {
        isOpen = false;
        return;
      }
      unsent = undefined;
    }
  }

  async function sendLetter(envelope: Envelope): Promise<'sent' | 'refused' | 'lost'> {
    const payloads = toPayloads(envelope);
    if (!payloads) onError(new Error('A message is too large for other servers and is left out.'));
    for (const payload of payloads ?? []) {
      const outcome = await notify(payload);
      if (outcome !== 'sent') return outcome;
    }
    return 'sent';
  }

  function wake(): void {
    if (!isOpen || sending) return;
    sending = send()
      .catch(onError)
      .finally(() => {
        sending = undefined;
        if (unsent || waiting.length > 0) wake();
      });
  }

  return {
    /** Drops the message when disconnected. Each new connection starts with a current one. */
    say(message: BusMessage): void {
      if (isOpen) add(message, Buffer.byteLength(JSON.stringify(message)));
    },
    /** Waits for a connection if there is none. */
    tell(userId: string, text: string): void {
      const bytes = Buffer.byteLength(JSON.stringify([userId, text])) + 1;
      if (bytes + ENVELOPE_BYTES > MAX_ENVELOPE_BYTES) {
        onError(new Error('An event is too large for other servers and is left out.'));
        return;
      }
      add({ events: [[userId, text]] }, bytes);
    },
    /** Forgets the events that wait: they are too old. */
    dropEvents(): void {
      const others = waiting.filter(({ message }) => !('events' in message));
      waiting.splice(0, waiting.length, ...others);
      waitingBytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /** There is a connection again. This is said first. */
    open(first: BusMessage): void {
      isOpen = true;
      waiting.unshift({ message: first, bytes: 0 });
      wake();
    },
    /** Waits a moment for what is still to be sent. */
    async close(): Promise<void> {
      const deadline = performance.now() + CLOSE_MS;
      while (isSending() && performance.now() < deadline) await sending;
      isOpen = false;
    },
  };
}

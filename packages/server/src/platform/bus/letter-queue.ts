import { LETTER_BYTES, type Letter, PAYLOAD_BYTES, type Saying, toPayloads } from './letters.ts';

const LONGEST = 10_000;
const QUEUE_BYTES = 32 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
/** What a letter has around its events. */
const ENVELOPE_BYTES = 200;
const CLOSE_MS = 2000;

interface Parts {
  readonly from: string;
  readonly notify: (payload: string) => Promise<'sent' | 'refused' | 'lost'>;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly saying: Saying;
  readonly bytes: number;
}

/** Sends what is said in order, one letter at a time. Events that wait together travel together. */
export interface LetterQueue {
  /** Left out while there is no connection: what is said first on the next one makes up for it. */
  say(saying: Saying): void;
  /** Waits for a connection if there is none. */
  tell(userId: string, text: string): void;
  /** Forgets the events that wait: they are too old. */
  dropEvents(): void;
  /** There is a connection again. This is said first. */
  open(first: Saying): void;
  /** Waits a moment for what is still to be sent. */
  close(): Promise<void>;
}

export function createLetterQueue({ from, notify, onError }: Parts): LetterQueue {
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let number = 0;
  /** The letter that is being sent. It stays when the connection is lost, and is sent again on the next. */
  let unsent: Letter | undefined;
  let isOpen = false;
  let isFull = false;
  let sending: Promise<void> | undefined;

  const isSending = (): boolean => sending !== undefined;

  function add(saying: Saying, bytes: number): void {
    // Half of the room is for what is small, so that pictures of one user leave out nothing of others.
    const room = bytes > SMALL_BYTES ? QUEUE_BYTES / 2 : QUEUE_BYTES;
    if (waiting.length >= LONGEST || waitingBytes + bytes > room) {
      if (!isFull)
        onError(new Error('Too much waits to be told to other servers. What comes now is left out.'));
      isFull = true;
      return;
    }
    waiting.push({ saying, bytes });
    waitingBytes += bytes;
    wake();
  }

  function next(): Letter | undefined {
    const first = take();
    if (!first) return undefined;
    number += 1;
    if (!('events' in first.saying)) return { from, number, ...first.saying };
    const events = [...first.saying.events];
    let bytes = ENVELOPE_BYTES + first.bytes;
    for (;;) {
      const following = waiting[0];
      if (!following || !('events' in following.saying) || bytes + following.bytes > PAYLOAD_BYTES) break;
      take();
      events.push(...following.saying.events);
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

  async function sendLetter(letter: Letter): Promise<'sent' | 'refused' | 'lost'> {
    const payloads = toPayloads(letter);
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
    say(saying) {
      if (isOpen) add(saying, Buffer.byteLength(JSON.stringify(saying)));
    },
    tell(userId, text) {
      const bytes = Buffer.byteLength(JSON.stringify([userId, text])) + 1;
      if (bytes + ENVELOPE_BYTES > LETTER_BYTES) {
        onError(new Error('An event is too large for other servers and is left out.'));
        return;
      }
      add({ events: [[userId, text]] }, bytes);
    },
    dropEvents() {
      const others = waiting.filter(({ saying }) => !('events' in saying));
      waiting.splice(0, waiting.length, ...others);
      waitingBytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    open(first) {
      isOpen = true;
      waiting.unshift({ saying: first, bytes: 0 });
      wake();
    },
    async close() {
      const deadline = performance.now() + CLOSE_MS;
      while (isSending() && performance.now() < deadline) await sending;
      isOpen = false;
    },
  };
}

import { isEnding } from './messages.ts';
import type { MessageEvent, PreviewEvent, UserEvent } from './user-event.ts';

/** With more unread bytes, only the newest preview and replaceable message of each kind is sent, once there is room. */
const SOFT_BYTES = 256 * 1024;
/** With more unread bytes, the reader is given up. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The same for a reader that gets pictures it asked for, which may have several megabytes each. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
/** How many nodes' newest previews are held for a slow reader. */
const MAX_HELD_PICTURES = 4;

/** The connection that the events are sent to. */
export interface Reader {
  /** Bytes that were sent but have not left yet. */
  buffered(): number;
  send(event: UserEvent): void;
  /** Calls back once all sent bytes have left. Used only when much is buffered. */
  onceDrained(callback: () => void): void;
  /** The reader is too slow. Nothing is sent after this. */
  giveUp(): void;
}

export function createOutbox(reader: Reader) {
  let waiting: UserEvent[] | undefined = [];
  let waitingBytes = 0;
  let maxBytes = MAX_BYTES;
  /** The newest of each replaceable event, by type and job, until the reader has caught up. */
  let held: Map<string, MessageEvent | PreviewEvent> | undefined;
  let isOver = false;

  function giveUp(): void {
    isOver = true;
    waiting = undefined;
    held = undefined;
    reader.giveUp();
  }

  function flush(): void {
    if (isOver || !held) return;
    const events = [...held.values()].toSorted((one, other) => rankOf(one) - rankOf(other));
    held = undefined;
    for (const event of events) send(event);
  }

  function hold(event: MessageEvent | PreviewEvent): void {
    if (!held) {
      held = new Map();
      reader.onceDrained(flush);
    }
    if (event.kind === 'preview') holdPicture(held, event);
    else held.set(keyOf(event.type, event.jobId), event);
  }

  /** Drops held events that must not follow this one: progress of an earlier node, or any progress after the end. */
  function settle({ type, jobId }: MessageEvent): void {
    const isEnd = isEnding(type);
    if (!held || jobId === undefined || (type !== 'executing' && !isEnd)) return;
    held.delete(keyOf('progress', jobId));
    for (const [key, { kind, jobId: of }] of held) if (kind === 'preview' && of === jobId) held.delete(key);
    if (!isEnd) return;
    const state = held.get(keyOf('progress_state', jobId));
    held.delete(keyOf('progress_state', jobId));
    if (state) reader.send(state);
  }

  function send(event: UserEvent): void {
    const buffered = reader.buffered();
    const isSlow = buffered > SOFT_BYTES;
    if (held && !isSlow) flush();
    if (isSlow && isReplaceable(event)) hold(event);
    else if (buffered > maxBytes) giveUp();
    else {
      if (event.kind === 'message') settle(event);
      reader.send(event);
    }
  }

  function wait(event: UserEvent): void {
    if (event.kind === 'preview') return;
    waiting?.push(event);
    waitingBytes += sizeOf(event);
    if (waitingBytes > maxBytes) giveUp();
  }

  return {
    push(event: UserEvent): void {
      if (isOver) return;
      if (event.kind === 'picture') maxBytes = MAX_PICTURE_BYTES;
      if (waiting) wait(event);
      else send(event);
    },
    /** Sends `first`, then the events that have waited for this call. */
    open(first: readonly UserEvent[]): void {
      const events = [...first, ...(waiting ?? [])];
      waiting = undefined;
      for (const event of events) if (!isOver) send(event);
    },
  };
}

function sizeOf(event: UserEvent): number {
  if (event.kind === 'message') return event.data.length;
  return event.kind === 'text' ? event.frame.length : event.bytes.length;
}

/** Messages go before pictures. */
function rankOf({ kind }: UserEvent): number {
  return kind === 'message' ? 0 : 1;
}

function holdPicture(held: Map<string, MessageEvent | PreviewEvent>, event: PreviewEvent): void {
  const key = keyOf(`preview of ${event.about.node_id}`, event.jobId);
  held.delete(key);
  if (event.bytes.length > SOFT_BYTES) return;
  const pictures = [...held].filter(([, { kind }]) => kind === 'preview');
  if (pictures.length >= MAX_HELD_PICTURES) held.delete(pictures[0]?.[0] ?? '');
  held.set(key, event);
}

function isReplaceable(event: UserEvent): event is MessageEvent | PreviewEvent {
  return event.kind === 'preview' || (event.kind === 'message' && event.replaceable);
}

function keyOf(type: string, jobId: string | undefined): string {
  return `${type} ${jobId ?? ''}`;
}

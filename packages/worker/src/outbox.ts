import type { WorkerMessages } from '@atelier/contracts';
import { encodePicture, MAX_JOB_MESSAGE_BYTES } from '@atelier/contracts/worker-protocol';
import { type EngineEvent, type Outcome, toJson } from '@atelier/engine/runner';

/** Above this, pictures and progress are no longer kept for the server. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;
/** Above this an attempt is given up, because the server does not read its messages. */
const MAX_ATTEMPT_BYTES = 128 * 2 ** 20;
/**
 * Events within this time, which is too short to notice, are sent together. ComfyUI sends three messages about each node, and every message
 * costs the worker, the server and the watchers a system call.
 */
const GATHER_MS = 10;
const MAX_TOGETHER = 1000;
/** The server accepts no longer message. */
const MAX_LOST_LENGTH = 4000;
/** Another server cannot take over an attempt with more events than this. */
const MAX_HISTORY = 5000;

export type Frame = string | Uint8Array<ArrayBuffer>;
export type LossReason = Pick<WorkerMessages['lost'], 'cause' | 'message'>;

/** The numbered messages about one attempt. */
export interface Outgoing {
  event(event: EngineEvent): void;
  end(outcome: Outcome): void;
  lost(why: LossReason): void;
}

interface Record {
  /** Proves to another server that the attempt is this worker's. */
  readonly key: string | undefined;
  number: number;
  bytes: number;
  kept: { readonly number: number; readonly frame: Frame }[];
  /** The events for a server that takes over; `undefined` when there are too many. */
  history: EngineEvent[] | undefined;
  isOver: boolean;
}

interface Parts {
  readonly send: (frame: Frame) => void;
  /** Without a connection, everything that no later event replaces is kept for the next one. */
  readonly isConnected: () => boolean;
}

/** Keeps the messages of attempts until the server has them. */
export function createOutbox({ send, isConnected }: Parts) {
  const records = new Map<string, Record>();
  let keptBytes = 0;

  function drop(record: Record, upTo: number): void {
    const before = record.bytes;
    record.kept = record.kept.filter(({ number }) => number > upTo);
    record.bytes = record.kept.reduce((sum, { frame }) => sum + frame.length, 0);
    keptBytes += record.bytes - before;
  }

  function forget(attempt: string): void {
    const record = records.get(attempt);
    if (!record) return;
    drop(record, Number.POSITIVE_INFINITY);
    records.delete(attempt);
  }

  function open(attempt: string, key: string | undefined, giveUp: () => void): Outgoing {
    const record: Record = { key, number: 0, bytes: 0, kept: [], history: [], isOver: false };
    records.set(attempt, record);
    let together: EngineEvent[] = [];
    let timer: NodeJS.Timeout | undefined;

    function put(toFrame: (number: number) => Frame): void {
      if (records.get(attempt) !== record) return;
      const frame = toFrame(record.number + 1);
      // The server would disconnect the worker, with all its jobs, for a message that is too large.
      if (typeof frame === 'string' && frame.length > MAX_JOB_MESSAGE_BYTES) {
        leave();
        return;
      }
      record.number += 1;
      record.kept.push({ number: record.number, frame });
      record.bytes += frame.length;
      keptBytes += frame.length;
      if (isConnected()) send(frame);
      if (record.bytes > MAX_ATTEMPT_BYTES) leave();
    }
    function leave(): void {
      const why = { cause: 'crash', message: 'The job said more than the server could take in.' };
      // Otherwise the next hello does not name the attempt.
      if (isConnected()) send(toJson({ type: 'lost', attempt, number: record.number + 1, ...why }));
      forget(attempt);
      giveUp();
    }
    function flush(): void {
      clearTimeout(timer);
      if (together.length === 0) return;
      const events = together;
      together = [];
      putEvents(events);
    }
    function putEvents(events: readonly EngineEvent[]): void {
      const frame = toJson({ type: 'events', attempt, number: record.number + 1, events });
      const half = events.length >> 1;
      if (half === 0 || frame.length <= MAX_JOB_MESSAGE_BYTES) {
        put(() => frame);
        return;
      }
      putEvents(events.slice(0, half));
      putEvents(events.slice(half));
    }
    function finish(message: object): void {
      flush();
      record.isOver = true;
      put((number) => toJson({ ...message, attempt, number }));
    }

    return {
      event(event) {
        if (record.isOver) return;
        const isResult = event.type === 'progress' && event.preview?.isOutput === true;
        if (!isPassing(event)) remember(record, event);
        else if (!isResult && (!isConnected() || keptBytes > MAX_KEPT_BYTES)) return;
        if (event.type === 'progress' && event.preview) {
          flush();
          const { bytes, ...preview } = event.preview;
          put((number) =>
            encodePicture({ type: 'events', attempt, number, events: [{ ...event, preview }] }, bytes),
          );
          return;
        }
        together.push(event);
        if (isLarge(event) || together.length >= MAX_TOGETHER) flush();
        else if (together.length === 1) timer = setTimeout(flush, GATHER_MS);
      },
      end: (outcome) => finish({ type: 'end', outcome }),
      lost: ({ cause, message }) =>
        finish({ type: 'lost', cause, message: message.slice(0, MAX_LOST_LENGTH) }),
    };
  }

  return {
    open,
    forget,
    /** The server has all messages up to this number. */
    ack(attempt: string, number: number): void {
      const record = records.get(attempt);
      if (!record) return;
      drop(record, number);
      if (record.isOver && record.kept.length === 0) records.delete(attempt);
    },
    /** Attempts whose messages the server may not have completely. */
    attempts: (): WorkerMessages['hello']['attempts'] =>
      [...records].map(([attempt, { key, history }]) => ({
        attempt,
        hasHistory: history !== undefined,
        ...(key !== undefined && { key }),
      })),
    /** Sends what the server does not have. */
    resume(attempt: string, after: number | 'history'): void {
      const record = records.get(attempt);
      if (!record) return;
      if (after !== 'history') {
        drop(record, after);
        for (const { frame } of record.kept) send(frame);
        return;
      }
      const last = record.isOver ? record.kept.at(-1) : undefined;
      const number = last ? last.number - 1 : record.number;
      drop(record, number);
      send(toJson({ type: 'history', attempt, number, events: record.history ?? [] }));
      if (last) send(last.frame);
    },
  };
}

function remember(record: Record, event: EngineEvent): void {
  record.history?.push(event);
  if ((record.history?.length ?? 0) > MAX_HISTORY) record.history = undefined;
}

/** Such an event can have megabytes. */
function isLarge({ type }: EngineEvent): boolean {
  return type === 'executed' || type === 'execution_error' || type === 'text';
}

/** Events that a later one replaces. */
function isPassing(event: EngineEvent): boolean {
  if (event.type === 'node_progress') return event.data.state === 'running';
  return event.type === 'text' || event.type === 'progress';
}

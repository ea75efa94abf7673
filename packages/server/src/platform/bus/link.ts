import type { Envelope } from './envelopes.ts';

const FIRST_WAIT_MS = 100;
/** Revoked credentials travel here too, so nobody waits for long. */
const MAX_RETRY_MS = 1000;

/** `lost` when it may or may not have got out, `refused` when it would never be taken. */
export type Sent = 'sent' | 'refused' | 'lost';

/** What carries envelopes between servers. One that is lost is made again. */
export interface Link {
  /** Events that wait together travel together, up to this. */
  readonly batchBytes: number;
  /** Returns after the first attempt, whether it came about or not. */
  start(): Promise<void>;
  /** Returns when the envelope is out. One at a time. */
  send(envelope: Envelope): Promise<Sent>;
  /** Events of this user are wanted from now on, or not any more. */
  listen(userId: string): void;
  unlisten(userId: string): void;
  isOpen(): boolean;
  /** Begins anew: what has arrived and was not read is left. */
  reconnect(): void;
  close(): Promise<void>;
}

export interface LinkEvents {
  /** What this server is called in its envelopes. They need not come back to it. */
  readonly own: string;
  /** Called before any envelope of this connection. */
  readonly onOpen: () => void;
  readonly onEnvelope: (envelope: Envelope) => void;
  readonly onError: (error: unknown) => void;
}

export type OpenLink = (events: LinkEvents) => Link;

/** One connection, until it is lost. */
export interface Connection {
  /** Rejects when the connection is lost. */
  send(envelope: Envelope): Promise<'sent' | 'refused'>;
  listen?(userId: string): void;
  unlisten?(userId: string): void;
  end(): Promise<void>;
}

interface Parts extends Pick<LinkEvents, 'onOpen' | 'onError'> {
  readonly batchBytes: number;
  /** Has a deadline of its own. `lose` may be called at any time, also more than once. */
  readonly connect: (of: {
    readonly lose: (cause: unknown) => void;
    /** False before the connection is in use, and after. */
    readonly isCurrent: () => boolean;
  }) => Promise<Connection>;
}

export function createLink({ batchBytes, connect, onOpen, onError }: Parts): Link {
  let current: { readonly connection: Connection; readonly lose: (cause: unknown) => void } | undefined;
  let opening: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isClosed = false;

  async function open(): Promise<void> {
    let isLost = false;
    let made: Connection | undefined;
    const lose = (cause: unknown): void => {
      if (isLost) return;
      isLost = true;
      if (current?.lose === lose) current = undefined;
      made?.end().catch(() => undefined);
      if (isClosed) return;
      onError(new Error('The connection for messages between servers is lost.', { cause }));
      retry = setTimeout(() => {
        opening = open();
      }, waitMs).unref();
      waitMs = Math.min(waitMs * 2, MAX_RETRY_MS);
    };
    try {
      made = await connect({ lose, isCurrent: () => current?.lose === lose });
    } catch (error) {
      lose(error);
      return;
    }
    if (isLost || isClosed) {
      await made.end().catch(() => undefined);
      return;
    }
    current = { connection: made, lose };
    waitMs = FIRST_WAIT_MS;
    onOpen();
  }

  return {
    batchBytes,
    async start() {
      opening = open();
      await opening;
    },
    async send(envelope) {
      const used = current;
      if (!used) return 'lost';
      try {
        return await used.connection.send(envelope);
      } catch (error) {
        used.lose(error);
        return 'lost';
      }
    },
    listen: (userId) => current?.connection.listen?.(userId),
    unlisten: (userId) => current?.connection.unlisten?.(userId),
    isOpen: () => current !== undefined,
    reconnect: () => current?.lose(new Error('This server stood still and missed messages.')),
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await opening;
      await current?.connection.end().catch(() => undefined);
      current = undefined;
    },
  };
}

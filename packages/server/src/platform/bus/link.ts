import type { Envelope } from './envelopes.ts';

const FIRST_WAIT_MS = 100;
/** Short, because revoked credentials travel here too. */
const MAX_RETRY_MS = 1000;

/** `lost`: it may or may not have arrived. `refused`: sending it again would fail too. */
export type Sent = 'sent' | 'refused' | 'lost';

export type Link = ReturnType<typeof createLink>;

export interface LinkEvents {
  /** `from` of this server's envelopes, which need not come back to it. */
  readonly own: string;
  /** Called before the first envelope of each connection. */
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
  /** Waiting events share an envelope up to this size. */
  readonly batchBytes: number;
  /** Has a deadline of its own. May call `lose` at any time and repeatedly. */
  readonly connect: (of: {
    readonly lose: (cause: unknown) => void;
    /** False before and after the connection is in use. */
    readonly isCurrent: () => boolean;
  }) => Promise<Connection>;
}

/** Carries envelopes between servers. Reconnects when the connection is lost. */
export function createLink({ batchBytes, connect, onOpen, onError }: Parts) {
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
    /** Returns after the first attempt to connect, even if it failed. */
    async start(): Promise<void> {
      opening = open();
      await opening;
    },
    /** One at a time. */
    async send(envelope: Envelope): Promise<Sent> {
      const used = current;
      if (!used) return 'lost';
      try {
        return await used.connection.send(envelope);
      } catch (error) {
        used.lose(error);
        return 'lost';
      }
    },
    /** Starts receiving the events of this user. */
    listen: (userId: string): void => current?.connection.listen?.(userId),
    unlisten: (userId: string): void => current?.connection.unlisten?.(userId),
    isOpen: (): boolean => current !== undefined,
    /** Drops what has arrived but was not read. */
    reconnect: (): void => current?.lose(new Error('This server stalled and missed messages.')),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      await opening;
      await current?.connection.end().catch(() => undefined);
      current = undefined;
    },
  };
}

import { AppError } from '../../platform/errors/app-error.ts';
import { everyNowAndThen } from '../../platform/every-now-and-then.ts';

export const CONNECTION_KINDS = ['websocket', 'event_stream'] as const;
type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** A socket or stream that a user has open. */
export interface Connection {
  readonly userId: string;
  readonly kind: ConnectionKind;
  readonly beatMs: number;
  /** Shows the other side that this one is there, and looks whether the other one is. */
  beat(): void;
  /** Finds the caller once more; rejects when the credential is not good any more. */
  readonly check: () => Promise<unknown>;
  /** Ends for that reason. */
  refuse(error: AppError): void;
  /** Ends in order, because the server stops. */
  end(): void;
  /** Ends at once. */
  kill(): void;
}

export interface ConnectionTimes {
  /** How often it is looked whose beat is due. */
  readonly tickMs: number;
  /** How often credentials are checked again. */
  readonly checkMs: number;
  /** How long the other side has to say goodbye when the server stops. */
  readonly graceMs: number;
}

interface Parts extends ConnectionTimes {
  readonly limitPerUser: number;
  readonly onError: (error: unknown) => void;
}

/** Everything that is open. Timers are shared: one for each of thousands would cost more than the rest. */
export interface Connections {
  isFull(userId: string): boolean;
  /** How many of a kind are open. */
  count(kind: ConnectionKind): number;
  /** Call the result when it has closed. `undefined` when the user has too many, or the server stops. */
  add(connection: Connection): (() => void) | undefined;
  /** Ends all of them; none is taken any more. */
  close(): Promise<void>;
}

interface Entry {
  readonly connection: Connection;
  nextBeat: number;
}

export function createConnections(parts: Parts): Connections {
  const { limitPerUser, tickMs, checkMs, graceMs, onError } = parts;
  const entries = new Set<Entry>();
  const countOf = new Map<string, number>();
  let closing: Promise<void> | undefined;
  let onEmpty = (): void => undefined;

  const ticking = setInterval(() => {
    const now = performance.now();
    for (const entry of entries) {
      if (now < entry.nextBeat) continue;
      entry.nextBeat = now + entry.connection.beatMs;
      entry.connection.beat();
    }
  }, tickMs);
  ticking.unref();

  // One after the other: however many are open, the database has one of these reads at a time.
  const stopChecking = everyNowAndThen(
    checkMs,
    async () => {
      for (const entry of entries) {
        if (closing) return;
        if (entries.has(entry)) await check(entry.connection);
      }
    },
    onError,
  );

  async function check(connection: Connection): Promise<void> {
    try {
      await connection.check();
    } catch (error) {
      const isRefused = error instanceof AppError && (error.status === 401 || error.status === 403);
      // A database that is out of reach says nothing about the credential.
      if (isRefused) connection.refuse(error);
      else onError(error);
    }
  }

  async function closeAll(): Promise<void> {
    clearInterval(ticking);
    const { promise: empty, resolve } = Promise.withResolvers<void>();
    onEmpty = resolve;
    for (const { connection } of entries) connection.end();
    if (entries.size > 0) {
      const timer = setTimeout(() => {
        for (const { connection } of entries) connection.kill();
      }, graceMs);
      await empty;
      clearTimeout(timer);
    }
    await stopChecking();
  }

  return {
    isFull: (userId) => (countOf.get(userId) ?? 0) >= limitPerUser,
    count: (kind) => [...entries].filter(({ connection }) => connection.kind === kind).length,
    add(connection) {
      const { userId } = connection;
      const count = countOf.get(userId) ?? 0;
      if (closing || count >= limitPerUser) return undefined;
      const entry = { connection, nextBeat: performance.now() + connection.beatMs };
      entries.add(entry);
      countOf.set(userId, count + 1);
      return () => {
        if (!entries.delete(entry)) return;
        const left = (countOf.get(userId) ?? 1) - 1;
        if (left === 0) countOf.delete(userId);
        else countOf.set(userId, left);
        if (entries.size === 0) onEmpty();
      };
    },
    async close() {
      closing ??= closeAll();
      await closing;
    },
  };
}

export function tooManyStreams(): AppError {
  return new AppError(
    'cloud.too_many_streams',
    'You have as many WebSockets and event streams open as one account may. Close some.',
    { retryAfterSeconds: 5 },
  );
}

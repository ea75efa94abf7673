import { AppError } from '../../platform/errors/app-error.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';

export const CONNECTION_KINDS = ['websocket', 'event_stream'] as const;
type ConnectionKind = (typeof CONNECTION_KINDS)[number];

export interface Connection {
  readonly userId: string;
  readonly kind: ConnectionKind;
  readonly beatMs: number;
  /** Signals that the server is alive, and checks whether the client is. */
  beat(): void;
  /** Authenticates the caller again; rejects when the credential is no longer valid. */
  readonly check: () => Promise<unknown>;
  /** Closes because the credential was refused. */
  refuse(error: AppError): void;
  /** Closes in order, because the server stops or messages are missing. */
  end(reason: 'stopping' | 'missed'): void;
  kill(): void;
}

export interface ConnectionTimes {
  /** How often to look for connections whose beat is due. */
  readonly tickMs: number;
  /** How often credentials are checked even if no revocation was reported. */
  readonly checkMs: number;
  /** The same while other servers cannot be heard. */
  readonly soonMs: number;
  /** How long clients have to close the connection when the server stops. */
  readonly graceMs: number;
}

interface Parts extends ConnectionTimes {
  readonly limitPerUser: number;
  /** Whether this server hears of credentials that other servers revoke. */
  readonly hearsOthers: () => boolean;
  readonly onError: (error: unknown) => void;
}

interface Entry {
  readonly connection: Connection;
  nextBeat: number;
  checkedAt: number;
}

export type Connections = ReturnType<typeof createConnections>;

/** All open connections. They share timers: thousands of timers would cost more than everything else here. */
export function createConnections(parts: Parts) {
  const { limitPerUser, tickMs, checkMs, soonMs, graceMs, hearsOthers, onError } = parts;
  const entries = new Set<Entry>();
  const countOf = new Map<string, number>();
  /** Users whose credentials were revoked recently: a connection that was opening at that time must be checked again. */
  const recheckedAt = new Map<string, number>();
  let closing: Promise<void> | undefined;
  let onEmpty = (): void => undefined;

  const ticking = setInterval(() => {
    const now = performance.now();
    for (const entry of entries) {
      if (now < entry.nextBeat) continue;
      entry.nextBeat = now + entry.connection.beatMs;
      entry.connection.beat();
    }
    for (const [userId, at] of recheckedAt) if (now - at > checkMs) recheckedAt.delete(userId);
  }, tickMs);
  ticking.unref();

  const stopChecking = repeatEvery(
    Math.min(checkMs, soonMs),
    async () => {
      const now = performance.now();
      await checkAll([...entries].filter(({ checkedAt }) => !hearsOthers() || now - checkedAt >= checkMs));
    },
    onError,
  );

  /** One at a time, so that thousands of connections do not flood the database with reads. */
  async function checkAll(wanted: readonly Entry[]): Promise<void> {
    for (const entry of wanted) {
      if (closing) return;
      if (!entries.has(entry)) continue;
      entry.checkedAt = performance.now();
      await check(entry.connection);
    }
  }

  async function check(connection: Connection): Promise<void> {
    try {
      await connection.check();
    } catch (error) {
      const isRefused = error instanceof AppError && (error.status === 401 || error.status === 403);
      // An unreachable database says nothing about the credential.
      if (isRefused) connection.refuse(error);
      else onError(error);
    }
  }

  async function closeAll(): Promise<void> {
    clearInterval(ticking);
    const { promise: empty, resolve } = Promise.withResolvers<void>();
    onEmpty = resolve;
    for (const { connection } of entries) connection.end('stopping');
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
    isFull: (userId: string) => (countOf.get(userId) ?? 0) >= limitPerUser,
    count: (kind: ConnectionKind) => [...entries].filter(({ connection }) => connection.kind === kind).length,
    /** Returns a function to call when the connection has closed; `undefined` when the user has too many, or the server stops. */
    add(connection: Connection): (() => void) | undefined {
      const { userId } = connection;
      const count = countOf.get(userId) ?? 0;
      if (closing || count >= limitPerUser) return undefined;
      const now = performance.now();
      const entry = { connection, nextBeat: now + connection.beatMs, checkedAt: now };
      entries.add(entry);
      countOf.set(userId, count + 1);
      if (recheckedAt.has(userId)) checkAll([entry]).catch(onError);
      return () => {
        if (!entries.delete(entry)) return;
        const left = (countOf.get(userId) ?? 1) - 1;
        if (left === 0) countOf.delete(userId);
        else countOf.set(userId, left);
        if (entries.size === 0) onEmpty();
      };
    },
    /** Checks the connections of a user now, because a credential may have been revoked. */
    recheck(userId: string): void {
      recheckedAt.set(userId, performance.now());
      checkAll([...entries].filter(({ connection }) => connection.userId === userId)).catch(onError);
    },
    /** Ends all connections, because messages are missing: clients that connect again get the current state. */
    endAll(): void {
      const open = [...entries];
      for (const { connection } of open) connection.end('missed');
      setTimeout(() => {
        for (const entry of open) if (entries.has(entry)) entry.connection.kill();
      }, graceMs).unref();
    },
    /** Ends all connections and accepts no more. */
    async close(): Promise<void> {
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

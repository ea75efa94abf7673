import { AppError } from '../../platform/errors/app-error.ts';
import { repeatEvery } from '../../platform/repeat-every.ts';

export const CONNECTION_KINDS = ['websocket', 'event_stream'] as const;
type ConnectionKind = (typeof CONNECTION_KINDS)[number];

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
  /** Ends in order, because the server stops or messages are missing. */
  end(reason: 'stopping' | 'missed'): void;
  kill(): void;
}

export interface ConnectionTimes {
  /** How often it is looked whose beat is due. */
  readonly tickMs: number;
  /** How often credentials are checked again, though nobody says that one was revoked. */
  readonly checkMs: number;
  /** The same while other servers cannot be heard. */
  readonly soonMs: number;
  /** How long the other side has to say goodbye when the server stops. */
  readonly graceMs: number;
}

interface Parts extends ConnectionTimes {
  readonly limitPerUser: number;
  /** Whether other servers can say here that a credential was revoked. */
  readonly hearsOthers: () => boolean;
  readonly onError: (error: unknown) => void;
}

interface Entry {
  readonly connection: Connection;
  nextBeat: number;
  checkedAt: number;
}

export type Connections = ReturnType<typeof createConnections>;

/** Everything that is open. Timers are shared: one for each of thousands would cost more than the rest. */
export function createConnections(parts: Parts) {
  const { limitPerUser, tickMs, checkMs, soonMs, graceMs, hearsOthers, onError } = parts;
  const entries = new Set<Entry>();
  const countOf = new Map<string, number>();
  /** Users whose credentials were revoked lately: a connection that was opening then has to be checked once more. */
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

  /** One after the other: however many are open, the database has one of these reads at a time. */
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
      // A database that is out of reach says nothing about the credential.
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
    /** Call the result when it has closed. `undefined` when the user has too many, or the server stops. */
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
    /** Checks the connections of a user at once, because a credential may have been revoked. */
    recheck(userId: string): void {
      recheckedAt.set(userId, performance.now());
      checkAll([...entries].filter(({ connection }) => connection.userId === userId)).catch(onError);
    },
    /** Ends all of them, because messages are missing: who connects again reads how things stand. */
    endAll(): void {
      const open = [...entries];
      for (const { connection } of open) connection.end('missed');
      setTimeout(() => {
        for (const entry of open) if (entries.has(entry)) entry.connection.kill();
      }, graceMs).unref();
    },
    /** Ends all of them, and takes no more. */
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
